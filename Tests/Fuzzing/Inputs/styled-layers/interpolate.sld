<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <se:Name>lines</se:Name>
    <UserStyle>
      <se:Name>Interpolate</se:Name>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:LineSymbolizer>
            <se:Stroke>
              <se:SvgParameter name="stroke">#227722</se:SvgParameter>
              <se:SvgParameter name="stroke-width">
                <se:Interpolate>
                  <se:LookupValue><ogc:PropertyName>n</ogc:PropertyName></se:LookupValue>
                  <se:InterpolationPoint><se:Data>1</se:Data><se:Value>1</se:Value></se:InterpolationPoint>
                  <se:InterpolationPoint><se:Data>5</se:Data><se:Value>9</se:Value></se:InterpolationPoint>
                </se:Interpolate>
              </se:SvgParameter>
            </se:Stroke>
          </se:LineSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
