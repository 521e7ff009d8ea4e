<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <se:Name>points</se:Name>
    <UserStyle>
      <se:Name>Recode</se:Name>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:PointSymbolizer>
            <se:Graphic>
              <se:Mark>
                <se:WellKnownName>circle</se:WellKnownName>
                <se:Fill>
                  <se:SvgParameter name="fill">
                    <se:Recode fallbackValue="#888888">
                      <se:LookupValue><ogc:PropertyName>t</ogc:PropertyName></se:LookupValue>
                      <se:MapItem><se:Data>town</se:Data><se:Value>#00aa00</se:Value></se:MapItem>
                      <se:MapItem><se:Data>city</se:Data><se:Value>#aa0000</se:Value></se:MapItem>
                    </se:Recode>
                  </se:SvgParameter>
                </se:Fill>
              </se:Mark>
              <se:Size>10</se:Size>
            </se:Graphic>
          </se:PointSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
