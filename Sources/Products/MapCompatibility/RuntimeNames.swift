/// A map, under its name in version 100 of the SDK.
public typealias AGSMap = Map
/// A view of a map, under its name in version 100 of the SDK.
public typealias AGSMapView = MapView
/// A basemap, under its name in version 100 of the SDK.
public typealias AGSBasemap = Basemap
/// A layer of features, under its name in version 100 of the SDK.
public typealias AGSFeatureLayer = FeatureLayer
/// A feature table of a service, under its name in version 100 of the SDK.
public typealias AGSServiceFeatureTable = ServiceFeatureTable
/// A table in memory, under its name in version 100 of the SDK.
public typealias AGSFeatureCollectionTable = FeatureCollectionTable
/// A feature, under its name in version 100 of the SDK.
public typealias AGSFeature = Feature
/// The result of a feature query, under its name in version 100 of the SDK.
public typealias AGSFeatureQueryResult = FeatureQueryResult
/// The parameters of a feature query, under their name in version 100 of the SDK.
public typealias AGSQueryParameters = QueryParameters
/// The parameters of a statistics query, under their name in version 100 of the SDK.
public typealias AGSStatisticsQueryParameters = StatisticsQueryParameters
/// The definition of one statistic, under its name in version 100 of the SDK.
public typealias AGSStatisticDefinition = StatisticDefinition
/// A type of statistic, under its name in version 100 of the SDK.
public typealias AGSStatisticType = StatisticDefinition.StatisticType
/// The result of a statistics query, under its name in version 100 of the SDK.
public typealias AGSStatisticsQueryResult = StatisticsQueryResult
/// A record of statistics, under its name in version 100 of the SDK.
public typealias AGSStatisticRecord = StatisticRecord
/// A field to order by, under its name in version 100 of the SDK.
public typealias AGSOrderBy = OrderBy
/// A field, under its name in version 100 of the SDK.
public typealias AGSField = Field
/// A viewpoint, under its name in version 100 of the SDK.
public typealias AGSViewpoint = Viewpoint
/// A spatial reference, under its name in version 100 of the SDK.
public typealias AGSSpatialReference = SpatialReference
/// A geometry, under its name in version 100 of the SDK.
public typealias AGSGeometry = any Geometry
/// A point, under its name in version 100 of the SDK.
public typealias AGSPoint = Point
/// An envelope, under its name in version 100 of the SDK.
public typealias AGSEnvelope = Envelope
/// A polyline, under its name in version 100 of the SDK.
public typealias AGSPolyline = Polyline
/// A polygon, under its name in version 100 of the SDK.
public typealias AGSPolygon = Polygon
/// A graphic, under its name in version 100 of the SDK.
public typealias AGSGraphic = Graphic
/// An overlay of graphics, under its name in version 100 of the SDK.
public typealias AGSGraphicsOverlay = GraphicsOverlay
/// A marker symbol, under its name in version 100 of the SDK.
public typealias AGSSimpleMarkerSymbol = SimpleMarkerSymbol
/// A line symbol, under its name in version 100 of the SDK.
public typealias AGSSimpleLineSymbol = SimpleLineSymbol
/// A fill symbol, under its name in version 100 of the SDK.
public typealias AGSSimpleFillSymbol = SimpleFillSymbol
/// An image symbol for points, under its name in version 100 of the SDK.
public typealias AGSPictureMarkerSymbol = PictureMarkerSymbol
/// A text symbol, under its name in version 100 of the SDK.
public typealias AGSTextSymbol = TextSymbol
/// A symbol that consists of several symbols, under its name in version 100 of the SDK.
public typealias AGSCompositeSymbol = CompositeSymbol
/// A renderer with one symbol for all features, under its name in version 100 of the SDK.
public typealias AGSSimpleRenderer = SimpleRenderer
/// A time span, under its name in version 100 of the SDK.
public typealias AGSTimeExtent = TimeExtent
/// A display filter, under its name in version 100 of the SDK.
public typealias AGSDisplayFilter = DisplayFilter
/// Display filters chosen by the program, under their name in version 100 of the SDK.
public typealias AGSManualDisplayFilterDefinition = ManualDisplayFilterDefinition
/// A builder of points, under its name in version 100 of the SDK.
public typealias AGSPointBuilder = PointBuilder
/// A builder of polylines, under its name in version 100 of the SDK.
public typealias AGSPolylineBuilder = PolylineBuilder
/// A builder of polygons, under its name in version 100 of the SDK.
public typealias AGSPolygonBuilder = PolygonBuilder
/// A builder of multipoints, under its name in version 100 of the SDK.
public typealias AGSMultipointBuilder = MultipointBuilder
/// A builder of envelopes, under its name in version 100 of the SDK.
public typealias AGSEnvelopeBuilder = EnvelopeBuilder
/// The geometry operations, under their name in version 100 of the SDK.
public typealias AGSGeometryEngine = GeometryEngine
/// A GeoPackage, under its name in version 100 of the SDK.
public typealias AGSGeoPackage = GeoPackage
/// A table in a GeoPackage, under its name in version 100 of the SDK.
public typealias AGSGeoPackageFeatureTable = GeoPackageFeatureTable
/// A geodatabase, under its name in version 100 of the SDK.
public typealias AGSGeodatabase = Geodatabase
/// A table in a geodatabase, under its name in version 100 of the SDK.
public typealias AGSGeodatabaseFeatureTable = GeodatabaseFeatureTable
/// A table of a Web Feature Service, under its name in version 100 of the SDK.
public typealias AGSWFSFeatureTable = WFSFeatureTable
/// The description of a layer by its service, under its name in version 100 of the SDK.
public typealias AGSArcGISFeatureLayerInfo = ArcGISFeatureLayerInfo
/// The result of identifying on a layer, under its name in version 100 of the SDK.
public typealias AGSIdentifyLayerResult = IdentifyLayerResult
/// A popup, under its name in version 100 of the SDK.
public typealias AGSPopup = Popup
/// The contents of popups, under their name in version 100 of the SDK.
public typealias AGSPopupDefinition = PopupDefinition
/// A field of a popup, under its name in version 100 of the SDK.
public typealias AGSPopupField = PopupField
/// A group of layers, under its name in version 100 of the SDK.
public typealias AGSGroupLayer = GroupLayer
