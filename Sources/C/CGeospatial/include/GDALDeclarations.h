// The part of GDAL's C interface in use. These are our own declarations; GDAL's headers are not needed.
//
// Source: https://gdal.org/en/stable/api/vector_c_api.html, raster_c_api.html (data sets and drivers), ogr_srs_api.html
// (spatial references) and cpl.html (errors, memory, files). The newest functions are from 3.2.
// Scripts/checks/declarations compares them with GDAL's headers, where these are installed; 3.6 and 3.10 agree.
#pragma once

// X(result, name, parameters)
#define CGEOSPATIAL_GDAL(X) \
  X(GDALDatasetH, GDALOpenEx, (const char *, unsigned int, const char *const *, const char *const *, const \
      char *const *)) \
  X(GDALDriverH, GDALGetDatasetDriver, (GDALDatasetH)) \
  X(const char *, GDALGetDriverShortName, (GDALDriverH)) \
  X(int, GDALDatasetGetLayerCount, (GDALDatasetH)) \
  X(OGRLayerH, GDALDatasetGetLayer, (GDALDatasetH, int)) \
  X(const char *, OGR_L_GetName, (OGRLayerH)) \
  X(OGRwkbGeometryType, OGR_L_GetGeomType, (OGRLayerH)) \
  X(OGRSpatialReferenceH, OGR_L_GetSpatialRef, (OGRLayerH)) \
  X(OGRFeatureDefnH, OGR_L_GetLayerDefn, (OGRLayerH)) \
  X(const char *, OGR_L_GetFIDColumn, (OGRLayerH)) \
  X(const char *, OGR_L_GetGeometryColumn, (OGRLayerH)) \
  X(void, OGR_L_ResetReading, (OGRLayerH)) \
  X(OGRFeatureH, OGR_L_GetNextFeature, (OGRLayerH)) \
  X(OGRErr, OGR_L_SetIgnoredFields, (OGRLayerH, const char **)) \
  X(GIntBig, OGR_L_GetFeatureCount, (OGRLayerH, int)) \
  X(int, OGR_FD_GetFieldCount, (OGRFeatureDefnH)) \
  X(int, OGR_FD_GetFieldIndex, (OGRFeatureDefnH, const char *)) \
  X(OGRFieldDefnH, OGR_FD_GetFieldDefn, (OGRFeatureDefnH, int)) \
  X(int, OGR_FD_GetGeomFieldCount, (OGRFeatureDefnH)) \
  X(const char *, OGR_Fld_GetNameRef, (OGRFieldDefnH)) \
  X(const char *, OGR_Fld_GetAlternativeNameRef, (OGRFieldDefnH)) \
  X(OGRFieldType, OGR_Fld_GetType, (OGRFieldDefnH)) \
  X(OGRFieldSubType, OGR_Fld_GetSubType, (OGRFieldDefnH)) \
  X(int, OGR_Fld_GetWidth, (OGRFieldDefnH)) \
  X(int, OGR_Fld_IsNullable, (OGRFieldDefnH)) \
  X(const char *, OGR_GetFieldTypeName, (OGRFieldType)) \
  X(void, OGR_F_Destroy, (OGRFeatureH)) \
  X(GIntBig, OGR_F_GetFID, (OGRFeatureH)) \
  X(int, OGR_F_IsFieldSetAndNotNull, (OGRFeatureH, int)) \
  X(GIntBig, OGR_F_GetFieldAsInteger64, (OGRFeatureH, int)) \
  X(double, OGR_F_GetFieldAsDouble, (OGRFeatureH, int)) \
  X(const char *, OGR_F_GetFieldAsString, (OGRFeatureH, int)) \
  X(int, OGR_F_GetFieldAsDateTimeEx, (OGRFeatureH, int, int *, int *, int *, int *, int *, float *, int *)) \
  X(OGRGeometryH, OGR_F_GetGeometryRef, (OGRFeatureH)) \
  X(int, OGR_G_WkbSize, (OGRGeometryH)) \
  X(OGRErr, OGR_G_ExportToIsoWkb, (OGRGeometryH, OGRwkbByteOrder, unsigned char *)) \
  X(int, OGR_G_HasCurveGeometry, (OGRGeometryH, int)) \
  X(OGRGeometryH, OGR_G_GetLinearGeometry, (OGRGeometryH, double, char **)) \
  X(void, OGR_G_DestroyGeometry, (OGRGeometryH)) \
  X(OGRSpatialReferenceH, OSRClone, (OGRSpatialReferenceH)) \
  X(void, OSRRelease, (OGRSpatialReferenceH)) \
  X(const char *, OSRGetAuthorityName, (OGRSpatialReferenceH, const char *)) \
  X(const char *, OSRGetAuthorityCode, (OGRSpatialReferenceH, const char *)) \
  X(OGRErr, OSRAutoIdentifyEPSG, (OGRSpatialReferenceH)) \
  X(OGRSpatialReferenceH *, OSRFindMatches, (OGRSpatialReferenceH, char **, int *, int **)) \
  X(void, OSRFreeSRSArray, (OGRSpatialReferenceH *)) \
  X(OGRErr, OSRExportToWktEx, (OGRSpatialReferenceH, char **, const char *const *)) \
  X(const char *, OSRGetName, (OGRSpatialReferenceH)) \
  X(int, OSRIsProjected, (OGRSpatialReferenceH)) \
  X(double, OSRGetNormProjParm, (OGRSpatialReferenceH, const char *, double, OGRErr *)) \
  X(double, OSRGetLinearUnits, (OGRSpatialReferenceH, char **)) \
  X(double, OSRGetAngularUnits, (OGRSpatialReferenceH, char **)) \
  X(double, OSRGetPrimeMeridian, (OGRSpatialReferenceH, char **)) \
  X(double, OSRGetSemiMajor, (OGRSpatialReferenceH, OGRErr *)) \
  X(double, OSRGetInvFlattening, (OGRSpatialReferenceH, OGRErr *)) \
  X(OGRErr, OSRStripVertical, (OGRSpatialReferenceH)) \
  X(GDALDriverH, GDALGetDriverByName, (const char *)) \
  X(GDALDatasetH, GDALCreate, (GDALDriverH, const char *, int, int, int, GDALDataType, CSLConstList)) \
  X(OGRLayerH, GDALDatasetCreateLayer, (GDALDatasetH, const char *, OGRSpatialReferenceH, OGRwkbGeometryType, \
      CSLConstList)) \
  X(OGRErr, GDALDatasetStartTransaction, (GDALDatasetH, int)) \
  X(OGRErr, GDALDatasetCommitTransaction, (GDALDatasetH)) \
  X(OGRErr, OGR_L_CreateField, (OGRLayerH, OGRFieldDefnH, int)) \
  X(OGRErr, OGR_L_CreateFeature, (OGRLayerH, OGRFeatureH)) \
  X(OGRFieldDefnH, OGR_Fld_Create, (const char *, OGRFieldType)) \
  X(void, OGR_Fld_Destroy, (OGRFieldDefnH)) \
  X(void, OGR_Fld_SetSubType, (OGRFieldDefnH, OGRFieldSubType)) \
  X(void, OGR_Fld_SetWidth, (OGRFieldDefnH, int)) \
  X(void, OGR_Fld_SetAlternativeName, (OGRFieldDefnH, const char *)) \
  X(OGRFeatureH, OGR_F_Create, (OGRFeatureDefnH)) \
  X(OGRErr, OGR_F_SetFID, (OGRFeatureH, GIntBig)) \
  X(void, OGR_F_SetFieldNull, (OGRFeatureH, int)) \
  X(void, OGR_F_SetFieldInteger64, (OGRFeatureH, int, GIntBig)) \
  X(void, OGR_F_SetFieldDouble, (OGRFeatureH, int, double)) \
  X(void, OGR_F_SetFieldString, (OGRFeatureH, int, const char *)) \
  X(void, OGR_F_SetFieldDateTimeEx, (OGRFeatureH, int, int, int, int, int, int, float, int)) \
  X(OGRErr, OGR_F_SetGeometryDirectly, (OGRFeatureH, OGRGeometryH)) \
  X(OGRErr, OGR_G_CreateFromWkb, (const void *, OGRSpatialReferenceH, OGRGeometryH *, int)) \
  X(OGRSpatialReferenceH, OSRNewSpatialReference, (const char *)) \
  X(OGRErr, OSRImportFromEPSG, (OGRSpatialReferenceH, int)) \
  X(OGRErr, OSRSetFromUserInput, (OGRSpatialReferenceH, const char *)) \
  X(void, OSRSetAxisMappingStrategy, (OGRSpatialReferenceH, OSRAxisMappingStrategy)) \
  X(GByte *, VSIGetMemFileBuffer, (const char *, vsi_l_offset *, int)) \
  X(int, VSIUnlink, (const char *)) \
  X(void, CPLSetConfigOption, (const char *, const char *)) \
  X(CPLErrorHandler, CPLSetErrorHandler, (CPLErrorHandler)) \
  X(void, CPLPushErrorHandlerEx, (CPLErrorHandler, void *)) \
  X(void, CPLPopErrorHandler, (void)) \
  X(void *, CPLGetErrorHandlerUserData, (void)) \
  X(void, CPLErrorReset, (void)) \
  X(void, VSIFree, (void *))

// Functions that C headers do not declare, or that return more in later versions: GDALClose returns an error since 3.7.
#define CGEOSPATIAL_GDAL_UNCOMPARED(X) \
  X(void, GDALClose, (GDALDatasetH)) \
  X(void, RegisterOGRGeoPackage, (void)) \
  X(void, RegisterOGRShape, (void)) \
  X(void, RegisterOGRFlatGeobuf, (void)) \
  X(void, RegisterOGRTAB, (void)) \
  X(void, RegisterOGRGPX, (void)) \
  X(void, RegisterOGRGML, (void)) \
  X(void, RegisterOGROpenFileGDB, (void))

// X(name, value)
#define CGEOSPATIAL_OGR_FIELD_TYPES(X) \
  X(OFTInteger, 0) X(OFTReal, 2) X(OFTString, 4) X(OFTDate, 9) X(OFTTime, 10) X(OFTDateTime, 11) X(OFTInteger64, 12)
#define CGEOSPATIAL_OGR_FIELD_SUBTYPES(X) \
  X(OFSTNone, 0) X(OFSTBoolean, 1) X(OFSTInt16, 2) X(OFSTFloat32, 3) X(OFSTUUID, 5)
#define CGEOSPATIAL_OGR_GEOMETRY_TYPES(X) \
  X(wkbUnknown, 0) X(wkbPoint, 1) X(wkbLineString, 2) X(wkbPolygon, 3) X(wkbMultiPoint, 4) X(wkbMultiLineString, 5) \
  X(wkbMultiPolygon, 6) X(wkbNone, 100)
#define CGEOSPATIAL_OGR_BYTE_ORDERS(X) X(wkbNDR, 1)
#define CGEOSPATIAL_OSR_AXIS_ORDERS(X) X(OAMS_TRADITIONAL_GIS_ORDER, 0)
#define CGEOSPATIAL_GDAL_DATA_TYPES(X) X(GDT_Unknown, 0)
#define CGEOSPATIAL_CPL_ERRORS(X) X(CE_None, 0) X(CE_Debug, 1) X(CE_Warning, 2)
#define CGEOSPATIAL_GDAL_NUMBERS(X) \
  X(OGRERR_NONE, 0) X(GDAL_OF_READONLY, 0) X(GDAL_OF_VECTOR, 4) X(GDAL_OF_VERBOSE_ERROR, 64)

#ifndef CGEOSPATIAL_COMPARED
typedef void *GDALDatasetH, *GDALDriverH;
typedef void *OGRLayerH, *OGRFeatureH, *OGRFeatureDefnH, *OGRFieldDefnH, *OGRGeometryH, *OGRSpatialReferenceH;
typedef char **CSLConstList;
typedef int OGRErr, CPLErrorNum;
typedef long long GIntBig;
typedef unsigned long long vsi_l_offset;
typedef unsigned char GByte;
typedef enum { CGEOSPATIAL_OGR_FIELD_TYPES(CGEOSPATIAL_CASE) } OGRFieldType;
typedef enum { CGEOSPATIAL_OGR_FIELD_SUBTYPES(CGEOSPATIAL_CASE) } OGRFieldSubType;
typedef enum { CGEOSPATIAL_OGR_GEOMETRY_TYPES(CGEOSPATIAL_CASE) } OGRwkbGeometryType;
typedef enum { CGEOSPATIAL_OGR_BYTE_ORDERS(CGEOSPATIAL_CASE) } OGRwkbByteOrder;
typedef enum { CGEOSPATIAL_OSR_AXIS_ORDERS(CGEOSPATIAL_CASE) } OSRAxisMappingStrategy;
typedef enum { CGEOSPATIAL_GDAL_DATA_TYPES(CGEOSPATIAL_CASE) } GDALDataType;
typedef enum { CGEOSPATIAL_CPL_ERRORS(CGEOSPATIAL_CASE) } CPLErr;
typedef void (*CPLErrorHandler)(CPLErr, CPLErrorNum, const char *);
CGEOSPATIAL_GDAL_NUMBERS(CGEOSPATIAL_NUMBER)
#endif
