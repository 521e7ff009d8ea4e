// The part of PROJ's C interface in use, with its geodesics. These are our own declarations; PROJ's headers are not
// needed.
//
// Source: https://proj.org/en/stable/development/reference/functions.html and, for the functions of geod_geodesic,
// https://geographiclib.sourceforge.io/C/doc/. The newest function is from 8.0.
// Scripts/checks/declarations compares them with PROJ's headers, where these are installed; 9.1 and 9.6 agree.
#pragma once

#include <stddef.h>

// X(result, name, parameters)
#define CGEOSPATIAL_PROJ(X) \
  X(PJ_CONTEXT *, proj_context_create, (void)) \
  X(PJ_CONTEXT *, proj_context_destroy, (PJ_CONTEXT *)) \
  X(int, proj_context_set_enable_network, (PJ_CONTEXT *, int)) \
  X(PJ_LOG_LEVEL, proj_log_level, (PJ_CONTEXT *, PJ_LOG_LEVEL)) \
  X(int, proj_context_errno, (PJ_CONTEXT *)) \
  X(const char *, proj_context_errno_string, (PJ_CONTEXT *, int)) \
  X(PJ *, proj_create, (PJ_CONTEXT *, const char *)) \
  X(PJ *, proj_destroy, (PJ *)) \
  X(PJ *, proj_create_crs_to_crs, (PJ_CONTEXT *, const char *, const char *, PJ_AREA *)) \
  X(PJ *, proj_normalize_for_visualization, (PJ_CONTEXT *, const PJ *)) \
  X(size_t, proj_trans_generic, (PJ *, PJ_DIRECTION, double *, size_t, size_t, double *, size_t, size_t, \
      double *, size_t, size_t, double *, size_t, size_t)) \
  X(int, proj_is_crs, (const PJ *)) \
  X(PJ_TYPE, proj_get_type, (const PJ *)) \
  X(int, proj_errno_reset, (const PJ *)) \
  X(PJ *, proj_crs_get_coordinate_system, (PJ_CONTEXT *, const PJ *)) \
  X(PJ_COORDINATE_SYSTEM_TYPE, proj_cs_get_type, (PJ_CONTEXT *, const PJ *)) \
  X(int, proj_cs_get_axis_info, (PJ_CONTEXT *, const PJ *, int, const char **, const char **, const char **, \
      double *, const char **, const char **, const char **)) \
  X(int, proj_get_area_of_use, (PJ_CONTEXT *, const PJ *, double *, double *, double *, double *, const char \
      **)) \
  X(const char *, proj_as_proj_string, (PJ_CONTEXT *, const PJ *, PJ_PROJ_STRING_TYPE, const char *const *)) \
  X(const char *, proj_as_projjson, (PJ_CONTEXT *, const PJ *, const char *const *)) \
  X(void, geod_init, (struct geod_geodesic *, double, double)) \
  X(void, geod_direct, (const struct geod_geodesic *, double, double, double, double, double *, double *, \
      double *)) \
  X(void, geod_inverse, (const struct geod_geodesic *, double, double, double, double, double *, double *, \
      double *)) \
  X(void, geod_polygonarea, (const struct geod_geodesic *, double *, double *, int, double *, double *))

// X(name, value)
#define CGEOSPATIAL_PROJ_DIRECTIONS(X) X(PJ_FWD, 1)
#define CGEOSPATIAL_PROJ_LOG_LEVELS(X) X(PJ_LOG_NONE, 0)
#define CGEOSPATIAL_PROJ_STRING_TYPES(X) X(PJ_PROJ_5, 0)
#define CGEOSPATIAL_PROJ_COORDINATE_SYSTEMS(X) X(PJ_CS_TYPE_ELLIPSOIDAL, 2)
#define CGEOSPATIAL_PROJ_TYPES(X) \
  X(PJ_TYPE_GEOCENTRIC_CRS, 10) X(PJ_TYPE_GEOGRAPHIC_2D_CRS, 12) X(PJ_TYPE_GEOGRAPHIC_3D_CRS, 13) \
  X(PJ_TYPE_VERTICAL_CRS, 14) X(PJ_TYPE_PROJECTED_CRS, 15) X(PJ_TYPE_COMPOUND_CRS, 16)

// The numbers in a geod_geodesic: 51 in PROJ 9.1 and 9.6, and room for more.
#define CGEOSPATIAL_GEODESIC_ROOM 64

#ifndef CGEOSPATIAL_COMPARED
typedef struct PJconsts PJ;
typedef struct pj_ctx PJ_CONTEXT;
typedef struct PJ_AREA PJ_AREA;
typedef enum { CGEOSPATIAL_PROJ_DIRECTIONS(CGEOSPATIAL_CASE) } PJ_DIRECTION;
typedef enum { CGEOSPATIAL_PROJ_LOG_LEVELS(CGEOSPATIAL_CASE) } PJ_LOG_LEVEL;
typedef enum { CGEOSPATIAL_PROJ_STRING_TYPES(CGEOSPATIAL_CASE) } PJ_PROJ_STRING_TYPE;
typedef enum { CGEOSPATIAL_PROJ_COORDINATE_SYSTEMS(CGEOSPATIAL_CASE) } PJ_COORDINATE_SYSTEM_TYPE;
typedef enum { CGEOSPATIAL_PROJ_TYPES(CGEOSPATIAL_CASE) } PJ_TYPE;
// Filled by geod_init, and read by the library alone.
struct geod_geodesic {
  double numbers[CGEOSPATIAL_GEODESIC_ROOM];
};
#endif
