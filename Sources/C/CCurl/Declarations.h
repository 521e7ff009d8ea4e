// The part of libcurl's C interface in use. These are our own declarations; libcurl's headers are not needed.
//
// Source: https://curl.se/libcurl/c/allfuncs.html, https://curl.se/libcurl/c/symbols-in-versions.html (numbers) and
// https://curl.se/libcurl/abi.html, which promises that functions and numbers stay as they are.
// Scripts/checks/declarations compares them with libcurl's headers, where these are installed.
#pragma once

// X(result, name, parameters)
#define CCURL_FUNCTIONS(X) \
  X(CURLcode, curl_global_init, (long)) \
  X(CURL *, curl_easy_init, (void)) \
  X(void, curl_easy_cleanup, (CURL *)) \
  X(CURLcode, curl_easy_setopt, (CURL *, CURLoption, ...)) \
  X(CURLcode, curl_easy_getinfo, (CURL *, CURLINFO, ...)) \
  X(const char *, curl_easy_strerror, (CURLcode)) \
  X(struct curl_slist *, curl_slist_append, (struct curl_slist *, const char *)) \
  X(void, curl_slist_free_all, (struct curl_slist *)) \
  X(CURLM *, curl_multi_init, (void)) \
  X(CURLMcode, curl_multi_setopt, (CURLM *, CURLMoption, ...)) \
  X(CURLMcode, curl_multi_add_handle, (CURLM *, CURL *)) \
  X(CURLMcode, curl_multi_remove_handle, (CURLM *, CURL *)) \
  X(CURLMcode, curl_multi_perform, (CURLM *, int *)) \
  X(CURLMcode, curl_multi_poll, (CURLM *, struct curl_waitfd *, unsigned int, int, int *)) \
  X(CURLMcode, curl_multi_wakeup, (CURLM *)) \
  X(CURLMsg *, curl_multi_info_read, (CURLM *, int *))

// X(name, value)
#define CCURL_CODES(X) \
  X(CURLE_OK, 0) X(CURLE_UNSUPPORTED_PROTOCOL, 1) X(CURLE_COULDNT_RESOLVE_PROXY, 5) X(CURLE_COULDNT_RESOLVE_HOST, 6) \
  X(CURLE_COULDNT_CONNECT, 7) X(CURLE_WEIRD_SERVER_REPLY, 8) X(CURLE_PARTIAL_FILE, 18) X(CURLE_OUT_OF_MEMORY, 27) \
  X(CURLE_OPERATION_TIMEDOUT, 28) X(CURLE_SSL_CONNECT_ERROR, 35) X(CURLE_GOT_NOTHING, 52) X(CURLE_SEND_ERROR, 55) \
  X(CURLE_RECV_ERROR, 56) X(CURLE_PEER_FAILED_VERIFICATION, 60) X(CURLE_FILESIZE_EXCEEDED, 63) \
  X(CURLE_SSL_CACERT_BADFILE, 77)
#define CCURL_MULTI_CODES(X) X(CURLM_OK, 0)
#define CCURL_MULTI_OPTIONS(X) X(CURLMOPT_MAXCONNECTS, 6)
#define CCURL_MESSAGES(X) X(CURLMSG_DONE, 1)
#define CCURL_SOCKET_TYPES(X) X(CURLSOCKTYPE_IPCXN, 0)
#define CCURL_INFORMATION(X) X(CURLINFO_RESPONSE_CODE, 0x200002) X(CURLINFO_NUM_CONNECTS, 0x20001A) \
  X(CURLINFO_ACTIVESOCKET, 0x50002C)
// The thousands of an option are its kind of argument: 0 long, 1 pointer, 2 function, 3 curl_off_t.
#define CCURL_OPTIONS(X) \
  X(CURLOPT_NOPROGRESS, 43) X(CURLOPT_POST, 47) X(CURLOPT_FOLLOWLOCATION, 52) X(CURLOPT_SSL_VERIFYPEER, 64) X(CURLOPT_FRESH_CONNECT, 74) \
  X(CURLOPT_SSL_VERIFYHOST, 81) X(CURLOPT_HTTP_VERSION, 84) X(CURLOPT_NOSIGNAL, 99) X(CURLOPT_TIMEOUT_MS, 155) \
  X(CURLOPT_CONNECTTIMEOUT_MS, 156) X(CURLOPT_PROTOCOLS, 181) X(CURLOPT_SUPPRESS_CONNECT_HEADERS, 265) \
  X(CURLOPT_QUICK_EXIT, 322) X(CURLOPT_WRITEDATA, 10001) X(CURLOPT_URL, 10002) X(CURLOPT_PROXY, 10004) \
  X(CURLOPT_ERRORBUFFER, 10010) X(CURLOPT_POSTFIELDS, 10015) X(CURLOPT_HTTPHEADER, 10023) \
  X(CURLOPT_HEADERDATA, 10029) X(CURLOPT_XFERINFODATA, 10057) X(CURLOPT_CAINFO, 10065) X(CURLOPT_OPENSOCKETDATA, 10164) X(CURLOPT_NOPROXY, 10177) \
  X(CURLOPT_PREREQDATA, 10313) X(CURLOPT_PROTOCOLS_STR, 10318) X(CURLOPT_WRITEFUNCTION, 20011) \
  X(CURLOPT_HEADERFUNCTION, 20079) X(CURLOPT_OPENSOCKETFUNCTION, 20163) X(CURLOPT_XFERINFOFUNCTION, 20219) \
  X(CURLOPT_PREREQFUNCTION, 20312) \
  X(CURLOPT_MAXFILESIZE_LARGE, 30117) X(CURLOPT_POSTFIELDSIZE_LARGE, 30120)
#define CCURL_NUMBERS(X) \
  X(CURLPROTO_HTTP, 1) X(CURLPROTO_HTTPS, 2) X(CURL_HTTP_VERSION_1_1, 2) X(CURL_GLOBAL_ALL, 3) X(CURL_SOCKET_BAD, -1) \
  X(CURL_PREREQFUNC_OK, 0) X(CURL_PREREQFUNC_ABORT, 1) X(CURL_ERROR_SIZE, 256)

// X(type, member, its place on 64-bit systems): the members in use of the structures that libcurl passes.
#define CCURL_MEMBERS(X) \
  X(struct curl_sockaddr, family, 0) X(struct curl_sockaddr, socktype, 4) X(struct curl_sockaddr, protocol, 8) \
  X(struct curl_sockaddr, addr, 16) X(CURLMsg, msg, 0) X(CURLMsg, easy_handle, 8) X(CURLMsg, data.result, 16)

#ifndef CCURL_COMPARED
#include <stdint.h>
#include <sys/socket.h>

#define CCURL_CASE(name, value) name = value,
typedef void CURL, CURLM;
typedef int curl_socket_t;
typedef int64_t curl_off_t;
struct curl_slist;
struct curl_waitfd;
typedef enum { CCURL_CODES(CCURL_CASE) } CURLcode;
typedef enum { CCURL_MULTI_CODES(CCURL_CASE) } CURLMcode;
typedef enum { CCURL_MULTI_OPTIONS(CCURL_CASE) } CURLMoption;
typedef enum { CCURL_MESSAGES(CCURL_CASE) } CURLMSG;
typedef enum { CCURL_SOCKET_TYPES(CCURL_CASE) } curlsocktype;
typedef enum { CCURL_INFORMATION(CCURL_CASE) } CURLINFO;
typedef enum { CCURL_OPTIONS(CCURL_CASE) } CURLoption;
enum { CCURL_NUMBERS(CCURL_CASE) };

struct curl_sockaddr {
  int family, socktype, protocol;
  unsigned int addrlen;
  struct sockaddr addr;
};

typedef struct {
  CURLMSG msg;
  CURL *easy_handle;
  union {
    void *whatever;
    CURLcode result;
  } data;
} CURLMsg;
#endif
