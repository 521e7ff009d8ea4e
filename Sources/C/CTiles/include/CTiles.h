// JPEG, WebP and SQLite for sets of tiles. Each library is opened when it is first needed.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The size in bytes of the buffer for an error text.
enum { CTILES_ERROR_SIZE = 512 };

// All functions return 0 and write a text to `error` on failure, unless they say otherwise. The text names the packages
// of a missing library.

// Reads the size of an image.
int ctiles_jpeg_size(const uint8_t *_Nullable bytes, size_t count, int *_Nonnull width, int *_Nonnull height,
                     char *_Nonnull error);
int ctiles_webp_size(const uint8_t *_Nullable bytes, size_t count, int *_Nonnull width, int *_Nonnull height,
                     char *_Nonnull error);
// Decodes an image of a known size to red, green, blue and alpha; `pixels` has room for width * height * 4 bytes.
int ctiles_jpeg_decode(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull pixels, int width, int height,
                       char *_Nonnull error);
int ctiles_webp_decode(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull pixels, int width, int height,
                       char *_Nonnull error);
// Encodes an image of red, green, blue and alpha; a JPEG, with a quality of 1 to 100, ignores alpha, and WebP is lossless.
// The bytes are freed with the function after.
int ctiles_jpeg_encode(const uint8_t *_Nonnull pixels, int width, int height, int quality,
                       uint8_t *_Nullable *_Nonnull bytes, size_t *_Nonnull count, char *_Nonnull error);
void ctiles_jpeg_free(uint8_t *_Nullable bytes);
int ctiles_webp_encode(const uint8_t *_Nonnull pixels, int width, int height, uint8_t *_Nullable *_Nonnull bytes,
                       size_t *_Nonnull count, char *_Nonnull error);
void ctiles_webp_free(uint8_t *_Nullable bytes);

// A SQLite file; used by one thread at a time.
typedef struct ctiles_database ctiles_database;

// Opens a file to read; NULL on failure. Statements stop after a limited number of steps.
ctiles_database *_Nullable ctiles_open(const char *_Nonnull path, char *_Nonnull error);
// Creates or opens a file to write.
ctiles_database *_Nullable ctiles_create(const char *_Nonnull path, char *_Nonnull error);
void ctiles_close(ctiles_database *_Nonnull database);
// Runs statements without results.
int ctiles_run(ctiles_database *_Nonnull database, const char *_Nonnull sql, char *_Nonnull error);
// Prepares a query, or a statement that changes the file, with up to 3 numbers, 1 text and 1 blob as parameters in this
// order. It replaces the one before.
int ctiles_prepare(ctiles_database *_Nonnull database, const char *_Nonnull sql, const int64_t *_Nullable numbers,
                   int number_count, const char *_Nullable text, const uint8_t *_Nullable blob, size_t blob_size,
                   char *_Nonnull error);
// Returns 1 with a row, 0 without a further row, and -1 on failure.
int ctiles_step(ctiles_database *_Nonnull database, char *_Nonnull error);
// Values of the present row; they are valid until the next step.
int64_t ctiles_number(ctiles_database *_Nonnull database, int column);
const uint8_t *_Nullable ctiles_bytes(ctiles_database *_Nonnull database, int column, size_t *_Nonnull count);
