/// A map, by its name in version 100 of the SDK.
public typealias AGSMap = Map
/// A view of a map, by its name in version 100 of the SDK.
public typealias AGSMapView = MapView
/// A basemap, by its name in version 100 of the SDK.
public typealias AGSBasemap = Basemap
/// A layer of features, by its name in version 100 of the SDK.
public typealias AGSFeatureLayer = FeatureLayer
/// A table of a service, by its name in version 100 of the SDK.
public typealias AGSServiceFeatureTable = ServiceFeatureTable
/// A table in memory, by its name in version 100 of the SDK.
public typealias AGSFeatureCollectionTable = FeatureCollectionTable
/// A feature, by its name in version 100 of the SDK.
public typealias AGSFeature = Feature
/// The answer to a query, by its name in version 100 of the SDK.
public typealias AGSFeatureQueryResult = FeatureQueryResult
/// What is asked of a table, by its name in version 100 of the SDK.
public typealias AGSQueryParameters = QueryParameters
/// Figures that are asked of a table, by their name in version 100 of the SDK.
public typealias AGSStatisticsQueryParameters = StatisticsQueryParameters
/// One figure, by its name in version 100 of the SDK.
public typealias AGSStatisticDefinition = StatisticDefinition
/// A kind of figure, by its name in version 100 of the SDK.
public typealias AGSStatisticType = StatisticDefinition.StatisticType
/// The records of figures, by their name in version 100 of the SDK.
public typealias AGSStatisticsQueryResult = StatisticsQueryResult
/// One record of figures, by its name in version 100 of the SDK.
public typealias AGSStatisticRecord = StatisticRecord
/// A field to order by, by its name in version 100 of the SDK.
public typealias AGSOrderBy = OrderBy
/// A field, by its name in version 100 of the SDK.
public typealias AGSField = Field
/// What a map shows, by its name in version 100 of the SDK.
public typealias AGSViewpoint = Viewpoint
/// A reference of coordinates, by its name in version 100 of the SDK.
public typealias AGSSpatialReference = SpatialReference
/// A geometry, by its name in version 100 of the SDK.
public typealias AGSGeometry = any Geometry
/// A point, by its name in version 100 of the SDK.
public typealias AGSPoint = Point
/// An envelope, by its name in version 100 of the SDK.
public typealias AGSEnvelope = Envelope
/// A polyline, by its name in version 100 of the SDK.
public typealias AGSPolyline = Polyline
/// A polygon, by its name in version 100 of the SDK.
public typealias AGSPolygon = Polygon
/// A graphic, by its name in version 100 of the SDK.
public typealias AGSGraphic = Graphic
/// Graphics over a map, by their name in version 100 of the SDK.
public typealias AGSGraphicsOverlay = GraphicsOverlay
/// A marker, by its name in version 100 of the SDK.
public typealias AGSSimpleMarkerSymbol = SimpleMarkerSymbol
/// A line, by its name in version 100 of the SDK.
public typealias AGSSimpleLineSymbol = SimpleLineSymbol
/// A fill, by its name in version 100 of the SDK.
public typealias AGSSimpleFillSymbol = SimpleFillSymbol
/// A picture at a point, by its name in version 100 of the SDK.
public typealias AGSPictureMarkerSymbol = PictureMarkerSymbol
/// Text at a point, by its name in version 100 of the SDK.
public typealias AGSTextSymbol = TextSymbol
/// Several symbols at one place, by their name in version 100 of the SDK.
public typealias AGSCompositeSymbol = CompositeSymbol
/// One symbol for all, by its name in version 100 of the SDK.
public typealias AGSSimpleRenderer = SimpleRenderer
/// A span of time, by its name in version 100 of the SDK.
public typealias AGSTimeExtent = TimeExtent
/// A display filter, by its name in version 100 of the SDK.
public typealias AGSDisplayFilter = DisplayFilter
/// Display filters set by hand, by their name in version 100 of the SDK.
public typealias AGSManualDisplayFilterDefinition = ManualDisplayFilterDefinition
/// A builder of points, by its name in version 100 of the SDK.
public typealias AGSPointBuilder = PointBuilder
/// A builder of lines, by its name in version 100 of the SDK.
public typealias AGSPolylineBuilder = PolylineBuilder
/// A builder of areas, by its name in version 100 of the SDK.
public typealias AGSPolygonBuilder = PolygonBuilder
/// A builder of several points, by its name in version 100 of the SDK.
public typealias AGSMultipointBuilder = MultipointBuilder
/// A builder of envelopes, by its name in version 100 of the SDK.
public typealias AGSEnvelopeBuilder = EnvelopeBuilder
/// What is worked out of geometries, by its name in version 100 of the SDK.
public typealias AGSGeometryEngine = GeometryEngine
/// A GeoPackage, by its name in version 100 of the SDK.
public typealias AGSGeoPackage = GeoPackage
/// A table in a GeoPackage, by its name in version 100 of the SDK.
public typealias AGSGeoPackageFeatureTable = GeoPackageFeatureTable
/// A geodatabase, by its name in version 100 of the SDK.
public typealias AGSGeodatabase = Geodatabase
/// A table in a geodatabase, by its name in version 100 of the SDK.
public typealias AGSGeodatabaseFeatureTable = GeodatabaseFeatureTable
/// A table of a Web Feature Service, by its name in version 100 of the SDK.
public typealias AGSWFSFeatureTable = WFSFeatureTable
/// What a service says of a layer, by its name in version 100 of the SDK.
public typealias AGSArcGISFeatureLayerInfo = ArcGISFeatureLayerInfo
/// What was hit of a layer, by its name in version 100 of the SDK.
public typealias AGSIdentifyLayerResult = IdentifyLayerResult
/// A popup, by its name in version 100 of the SDK.
public typealias AGSPopup = Popup
/// What popups say, by its name in version 100 of the SDK.
public typealias AGSPopupDefinition = PopupDefinition
/// How a popup shows a field, by its name in version 100 of the SDK.
public typealias AGSPopupField = PopupField
/// A group of layers, by its name in version 100 of the SDK.
public typealias AGSGroupLayer = GroupLayer
