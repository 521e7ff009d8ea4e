// Tables of the functions of GDAL, PROJ, GEOS and SQLite. Each library is loaded on first use.
//
// Linking libgdal and the hundred libraries behind it would add 42 ms to every start of the tool (Debian 12), needed or
// not. Instead, each library is opened by the file name that goes with the headers of the build.
#pragma once

#if __has_include(<gdal/gdal.h>)
#include <gdal/gdal.h>
#include <gdal/ogr_api.h>
#include <gdal/ogr_srs_api.h>
#include <gdal/cpl_conv.h>
#include <gdal/cpl_error.h>
#include <gdal/cpl_vsi.h>
#else
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#endif
#include <geodesic.h>
#include <proj.h>
#define GEOS_USE_ONLY_R_API 1
#include <geos_c.h>
#include <sqlite3.h>

// Size in bytes of the error text buffers that Swift passes in.
enum { CGEOSPATIAL_ERROR_SIZE = 512 };

#define CGEOSPATIAL_GDAL(X)                                                                                       \
  X(GDALOpenEx) X(GDALClose) X(GDALGetDatasetDriver) X(GDALGetDriverShortName)                 \
  X(GDALDatasetGetLayerCount) X(GDALDatasetGetLayer)                                                              \
  X(OGR_L_GetName) X(OGR_L_GetGeomType) X(OGR_L_GetSpatialRef) X(OGR_L_GetLayerDefn)     \
  X(OGR_L_GetFIDColumn) X(OGR_L_GetGeometryColumn) X(OGR_L_ResetReading) X(OGR_L_GetNextFeature)                  \
  X(OGR_L_SetIgnoredFields) X(OGR_L_GetFeatureCount) X(OGR_FD_GetGeomType)                                        \
  X(OGR_FD_GetFieldCount) X(OGR_FD_GetFieldIndex) X(OGR_FD_GetFieldDefn) X(OGR_FD_GetGeomFieldCount)                                      \
  X(OGR_Fld_GetNameRef) X(OGR_Fld_GetAlternativeNameRef) X(OGR_Fld_GetType) X(OGR_Fld_GetSubType)                 \
  X(OGR_Fld_GetWidth) X(OGR_Fld_IsNullable)                                                                      \
  X(OGR_GetFieldTypeName)                                                                                         \
  X(OGR_F_Destroy) X(OGR_F_GetFID) X(OGR_F_IsFieldSetAndNotNull) X(OGR_F_GetFieldAsInteger64)                     \
  X(OGR_F_GetFieldAsDouble) X(OGR_F_GetFieldAsString) X(OGR_F_GetFieldAsDateTimeEx) X(OGR_F_GetGeometryRef)       \
  X(OGR_G_WkbSize) X(OGR_G_ExportToIsoWkb) X(OGR_G_HasCurveGeometry) X(OGR_G_GetLinearGeometry)                   \
  X(OGR_G_DestroyGeometry)                                                               \
  X(OSRClone) X(OSRRelease) X(OSRGetAuthorityName) X(OSRGetAuthorityCode) X(OSRAutoIdentifyEPSG)                  \
  X(OSRFindMatches) X(OSRFreeSRSArray) X(OSRExportToWktEx) X(OSRGetName) X(OSRStripVertical)   \
  X(GDALGetDriverByName) X(GDALCreate) X(GDALDatasetCreateLayer) X(GDALDatasetStartTransaction)                   \
  X(GDALDatasetCommitTransaction) X(OGR_L_CreateField) X(OGR_L_CreateFeature)                                     \
  X(OGR_Fld_Create) X(OGR_Fld_Destroy) X(OGR_Fld_SetSubType) X(OGR_Fld_SetWidth) X(OGR_Fld_SetAlternativeName)    \
  X(OGR_F_Create) X(OGR_F_SetFID) X(OGR_F_SetFieldNull) X(OGR_F_SetFieldInteger64) X(OGR_F_SetFieldDouble)        \
  X(OGR_F_SetFieldString) X(OGR_F_SetFieldDateTimeEx) X(OGR_F_SetGeometryDirectly) X(OGR_G_CreateFromWkb)         \
  X(OSRNewSpatialReference) X(OSRImportFromEPSG) X(OSRSetFromUserInput) X(OSRSetAxisMappingStrategy)              \
  X(VSIGetMemFileBuffer) X(VSIUnlink)                                                                             \
  X(CPLSetConfigOption) X(CPLSetErrorHandler) X(CPLPushErrorHandlerEx) X(CPLPopErrorHandler) X(CPLGetErrorHandlerUserData)              \
  X(CPLErrorReset) X(VSIFree)

#define CGEOSPATIAL_PROJ(X)                                                                                       \
  X(proj_context_create) X(proj_context_destroy) X(proj_context_set_enable_network) X(proj_log_level)             \
  X(proj_context_errno) X(proj_context_errno_string) X(proj_create) X(proj_destroy) X(proj_create_crs_to_crs)     \
  X(proj_normalize_for_visualization) X(proj_trans_generic) X(proj_is_crs) X(proj_errno_reset)                   \
  X(proj_crs_get_coordinate_system) X(proj_cs_get_type) X(proj_cs_get_axis_info) X(proj_get_area_of_use)         \
  X(proj_cs_get_axis_count) X(proj_as_proj_string) X(geod_init) X(geod_direct) X(geod_inverse) X(geod_polygonarea)

#define CGEOSPATIAL_GEOS(X)                                                                                       \
  X(GEOS_init_r) X(GEOS_finish_r) X(GEOSContext_setErrorMessageHandler_r)                          \
  X(GEOSCoordSeq_copyFromArrays_r) X(GEOSCoordSeq_destroy_r) X(GEOSGeom_createPoint_r)                            \
  X(GEOSGeom_createLineString_r) X(GEOSGeom_createLinearRing_r) X(GEOSGeom_createPolygon_r)                       \
  X(GEOSGeom_createCollection_r) X(GEOSGeom_destroy_r) X(GEOSisValid_r)       \
  X(GEOSisValidReason_r) X(GEOSFree_r) X(GEOSPrepare_r) X(GEOSPreparedGeom_destroy_r)      \
  X(GEOSPreparedContains_r) X(GEOSPreparedCrosses_r) X(GEOSPreparedDisjoint_r) X(GEOSPreparedIntersects_r)        \
  X(GEOSPreparedOverlaps_r) X(GEOSPreparedTouches_r) X(GEOSPreparedWithin_r) X(GEOSEquals_r)                      \
  X(GEOSRelatePattern_r) X(GEOSMakeValid_r) X(GEOSIntersection_r) X(GEOSUnaryUnion_r) X(GEOSGeom_clone_r)         \
  X(GEOSGetNumGeometries_r) X(GEOSGetGeometryN_r) X(GEOSGeom_getDimensions_r) X(GEOSUnion_r) X(GEOSDifference_r) \
  X(GEOSSymDifference_r) X(GEOSBuffer_r) X(GEOSConvexHull_r) X(GEOSisSimple_r) X(GEOSBoundary_r)                  \
  X(GEOSPolygonize_r) X(GEOSPointOnSurface_r) X(GEOSIntersects_r) X(GEOSGeomToWKB_buf_r)

#define CGEOSPATIAL_SQLITE(X)                                                                                     \
  X(sqlite3_open_v2) X(sqlite3_close_v2) X(sqlite3_prepare_v2) X(sqlite3_step) X(sqlite3_finalize)                \
  X(sqlite3_bind_text) X(sqlite3_column_type) X(sqlite3_column_int64) X(sqlite3_column_text)                      \
  X(sqlite3_column_bytes) X(sqlite3_errmsg) X(sqlite3_errcode) X(sqlite3_set_authorizer)                          \
  X(sqlite3_progress_handler) X(sqlite3_limit)

#define CGEOSPATIAL_MEMBER(name) __typeof__(name) *_Nonnull name;

// The GDAL functions in use, and the registration functions of the allowed drivers.
typedef struct {
  CGEOSPATIAL_GDAL(CGEOSPATIAL_MEMBER)
  // These are declared only in GDAL's C++ headers but exported as C functions.
  void (*_Nonnull RegisterOGRGeoPackage)(void);
  void (*_Nonnull RegisterOGRShape)(void);
  void (*_Nonnull RegisterOGRFlatGeobuf)(void);
  void (*_Nonnull RegisterOGRTAB)(void);
  void (*_Nonnull RegisterOGRKML)(void);
  void (*_Nonnull RegisterOGRGPX)(void);
  void (*_Nonnull RegisterOGROpenFileGDB)(void);
} cgeospatial_gdal;

typedef struct {
  CGEOSPATIAL_PROJ(CGEOSPATIAL_MEMBER)
} cgeospatial_proj;

typedef struct {
  CGEOSPATIAL_GEOS(CGEOSPATIAL_MEMBER)
} cgeospatial_geos;

typedef struct {
  CGEOSPATIAL_SQLITE(CGEOSPATIAL_MEMBER)
} cgeospatial_sqlite;

// Each function opens its library and fills `functions`. It returns 0 and writes a text to `error` when the library or
// a function is missing. A library stays open until the process ends.
int cgeospatial_load_gdal(cgeospatial_gdal *_Nonnull functions, char *_Nonnull error);
int cgeospatial_load_proj(cgeospatial_proj *_Nonnull functions, char *_Nonnull error);
int cgeospatial_load_geos(cgeospatial_geos *_Nonnull functions, char *_Nonnull error);
int cgeospatial_load_sqlite(cgeospatial_sqlite *_Nonnull functions, char *_Nonnull error);

// Sets a boolean option of a connection, such as SQLITE_DBCONFIG_DEFENSIVE, and returns SQLite's result code. Call it
// after cgeospatial_load_sqlite. It exists because Swift cannot call functions with a variable number of arguments.
int cgeospatial_sqlite_set(sqlite3 *_Nonnull connection, int option, int is_on);
