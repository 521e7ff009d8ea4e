<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>polygons</Name>
    <UserStyle>
      <Title>Box</Title>
      <FeatureTypeStyle>
        <Rule>
          <Name>west</Name>
          <ogc:Filter>
            <ogc:BBOX>
              <ogc:PropertyName>geometry</ogc:PropertyName>
              <gml:Box srsName="EPSG:4326">
                <gml:coordinates>-30,-30 -12,30</gml:coordinates>
              </gml:Box>
            </ogc:BBOX>
          </ogc:Filter>
          <PolygonSymbolizer>
            <Fill>
              <CssParameter name="fill">#dd8800</CssParameter>
            </Fill>
          </PolygonSymbolizer>
        </Rule>
        <Rule>
          <ElseFilter/>
          <PolygonSymbolizer>
            <Stroke>
              <CssParameter name="stroke">#333333</CssParameter>
              <CssParameter name="stroke-width">1</CssParameter>
            </Stroke>
          </PolygonSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
