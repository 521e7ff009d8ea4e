<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>points</Name>
    <UserStyle>
      <Title>Categorize</Title>
      <FeatureTypeStyle>
        <Rule>
          <PointSymbolizer>
            <Graphic>
              <Mark>
                <WellKnownName>circle</WellKnownName>
                <Fill>
                  <CssParameter name="fill">#0033cc</CssParameter>
                </Fill>
              </Mark>
              <Size>
                <ogc:Function name="Categorize">
                  <ogc:PropertyName>pop</ogc:PropertyName>
                  <ogc:Literal>6</ogc:Literal>
                  <ogc:Literal>50000</ogc:Literal>
                  <ogc:Literal>10</ogc:Literal>
                  <ogc:Literal>100000</ogc:Literal>
                  <ogc:Literal>16</ogc:Literal>
                </ogc:Function>
              </Size>
            </Graphic>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
