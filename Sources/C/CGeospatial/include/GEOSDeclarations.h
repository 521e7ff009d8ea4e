// The part of GEOS's reentrant C interface in use. These are our own declarations; GEOS's header is not needed.
//
// Source: https://libgeos.org/doxygen/geos__c_8h.html. GEOS keeps the binary form of this interface. The newest
// function is from 3.10.
// Scripts/checks/declarations compares them with GEOS's header, where it is installed; 3.11 and 3.13 agree.
#pragma once

#include <stddef.h>

// X(result, name, parameters)
#define CGEOSPATIAL_GEOS(X) \
  X(GEOSContextHandle_t, GEOS_init_r, (void)) \
  X(void, GEOS_finish_r, (GEOSContextHandle_t)) \
  X(GEOSMessageHandler_r, GEOSContext_setErrorMessageHandler_r, (GEOSContextHandle_t, GEOSMessageHandler_r, \
      void *)) \
  X(GEOSCoordSequence *, GEOSCoordSeq_copyFromArrays_r, (GEOSContextHandle_t, const double *, const double *, \
      const double *, const double *, unsigned int)) \
  X(GEOSGeometry *, GEOSGeom_createPoint_r, (GEOSContextHandle_t, GEOSCoordSequence *)) \
  X(GEOSGeometry *, GEOSGeom_createLineString_r, (GEOSContextHandle_t, GEOSCoordSequence *)) \
  X(GEOSGeometry *, GEOSGeom_createLinearRing_r, (GEOSContextHandle_t, GEOSCoordSequence *)) \
  X(GEOSGeometry *, GEOSGeom_createPolygon_r, (GEOSContextHandle_t, GEOSGeometry *, GEOSGeometry **, unsigned \
      int)) \
  X(GEOSGeometry *, GEOSGeom_createCollection_r, (GEOSContextHandle_t, int, GEOSGeometry **, unsigned int)) \
  X(void, GEOSGeom_destroy_r, (GEOSContextHandle_t, GEOSGeometry *)) \
  X(char, GEOSisValid_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(char *, GEOSisValidReason_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(void, GEOSFree_r, (GEOSContextHandle_t, void *)) \
  X(const GEOSPreparedGeometry *, GEOSPrepare_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(void, GEOSPreparedGeom_destroy_r, (GEOSContextHandle_t, const GEOSPreparedGeometry *)) \
  X(char, GEOSPreparedContains_r, (GEOSContextHandle_t, const GEOSPreparedGeometry *, const GEOSGeometry *)) \
  X(char, GEOSPreparedCrosses_r, (GEOSContextHandle_t, const GEOSPreparedGeometry *, const GEOSGeometry *)) \
  X(char, GEOSPreparedDisjoint_r, (GEOSContextHandle_t, const GEOSPreparedGeometry *, const GEOSGeometry *)) \
  X(char, GEOSPreparedIntersects_r, (GEOSContextHandle_t, const GEOSPreparedGeometry *, const GEOSGeometry *)) \
  X(char, GEOSPreparedOverlaps_r, (GEOSContextHandle_t, const GEOSPreparedGeometry *, const GEOSGeometry *)) \
  X(char, GEOSPreparedTouches_r, (GEOSContextHandle_t, const GEOSPreparedGeometry *, const GEOSGeometry *)) \
  X(char, GEOSPreparedWithin_r, (GEOSContextHandle_t, const GEOSPreparedGeometry *, const GEOSGeometry *)) \
  X(char, GEOSEquals_r, (GEOSContextHandle_t, const GEOSGeometry *, const GEOSGeometry *)) \
  X(char, GEOSRelatePattern_r, (GEOSContextHandle_t, const GEOSGeometry *, const GEOSGeometry *, const char \
      *)) \
  X(GEOSGeometry *, GEOSMakeValid_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(GEOSGeometry *, GEOSIntersection_r, (GEOSContextHandle_t, const GEOSGeometry *, const GEOSGeometry *)) \
  X(GEOSGeometry *, GEOSUnaryUnion_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(GEOSGeometry *, GEOSGeom_clone_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(int, GEOSGetNumGeometries_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(const GEOSGeometry *, GEOSGetGeometryN_r, (GEOSContextHandle_t, const GEOSGeometry *, int)) \
  X(int, GEOSGeom_getDimensions_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(GEOSGeometry *, GEOSUnion_r, (GEOSContextHandle_t, const GEOSGeometry *, const GEOSGeometry *)) \
  X(GEOSGeometry *, GEOSDifference_r, (GEOSContextHandle_t, const GEOSGeometry *, const GEOSGeometry *)) \
  X(GEOSGeometry *, GEOSSymDifference_r, (GEOSContextHandle_t, const GEOSGeometry *, const GEOSGeometry *)) \
  X(GEOSGeometry *, GEOSBuffer_r, (GEOSContextHandle_t, const GEOSGeometry *, double, int)) \
  X(GEOSGeometry *, GEOSConvexHull_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(char, GEOSisSimple_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(GEOSGeometry *, GEOSBoundary_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(GEOSGeometry *, GEOSPolygonize_r, (GEOSContextHandle_t, const GEOSGeometry *const *, unsigned int)) \
  X(GEOSGeometry *, GEOSPointOnSurface_r, (GEOSContextHandle_t, const GEOSGeometry *)) \
  X(char, GEOSIntersects_r, (GEOSContextHandle_t, const GEOSGeometry *, const GEOSGeometry *)) \
  X(unsigned char *, GEOSGeomToWKB_buf_r, (GEOSContextHandle_t, const GEOSGeometry *, size_t *))

#ifndef CGEOSPATIAL_COMPARED
typedef struct GEOSContextHandle_HS *GEOSContextHandle_t;
typedef struct GEOSGeom_t GEOSGeometry;
typedef struct GEOSPrepGeom_t GEOSPreparedGeometry;
typedef struct GEOSCoordSeq_t GEOSCoordSequence;
typedef void (*GEOSMessageHandler_r)(const char *, void *);
#endif
