import MapDrawing
import MapFeatures
public import MapGeometry
public import MapJSON
public import MapModel

/// The options of a count.
public struct CountOptions: Sendable {
  /// The features to count, in addition to the layers' own expressions.
  public var question = FeatureQuestion()
  /// Whether all stages of the filter funnel are counted.
  public var funnel = false
  /// Whether the features of each class of the renderer are counted.
  public var byClass = false
  /// The indexes of the layers to count; nil counts all.
  public var layers: [Int]?

  /// Creates options that count the features of all layers in the view.
  public init() {}
}

/// The number of features of each layer that a query returns.
public struct CountAnswer: Sendable {
  /// The count of one layer.
  public struct Layer: Sendable {
    /// The layer's title, or its id without a title.
    public let name: String
    /// The number of features.
    public let count: Int
    /// Whether every feature was counted by the rules of this project.
    ///
    /// It is false if features are known to be missing, such as in a saved page of a service's answer. It is also
    /// false if a service's filter accepted other features.
    public var isExact: Bool { inexactReason == nil }
    /// The reason why the count is not exact; nil if it is.
    public let inexactReason: String?
    /// The stages of the funnel, if requested.
    public let funnel: FilterFunnel?
    /// The count of each class, if requested; with a funnel, also its drawn features.
    public let classes: [ClassCount]?
    /// The reason why the features of the funnel are invisible, if all of its last stage are; nil for others.
    public var warning: String?
    /// The number of invisible features with the reasons, if others are drawn, or of those that a default view leaves
    /// outside; nil for none.
    public var note: String?
    /// The numbers of features with values below the lowest class and above the highest, if classes are counted.
    var classNotes: [String] = []
  }

  /// The reasons why layers draw nothing of the features of the funnel, with the layers' names.
  public var warnings: [String] {
    layers.compactMap { layer in layer.warning.map { "layer \"\(layer.name)\": \($0)" } }
  }
  /// The numbers of invisible features of other layers, of those outside a default view, and of values outside all classes,
  /// with the layers' names.
  public var notes: [String] {
    layers.flatMap { layer in
      ([layer.note].compactMap { $0 } + layer.classNotes).map { "layer \"\(layer.name)\": \($0)" }
    }
  }

  /// Returns the answer with other layers.
  func with(_ layers: [Layer]) -> CountAnswer {
    CountAnswer(spatialReference: spatialReference, extent: extent, scale: scale, layers: layers)
  }

  /// The map's spatial reference.
  let spatialReference: SpatialReference
  /// The extent that was counted; nil for everywhere.
  public let extent: Envelope?
  /// The view's scale denominator.
  public let scale: Double
  /// The layers, first at the bottom.
  public let layers: [Layer]

  /// The answer as JSON with keys in a fixed order.
  ///
  /// A count that may be incomplete has `"exact": false` and the `reason`.
  public var json: JSONValue { json(warnings: nil) }

  /// Returns the answer as JSON with warnings.
  public func json(warnings: [String]?) -> JSONValue {
    let layers: [JSONValue] = layers.map { layer in
      var object: JSONObject = ["layer": .string(layer.name), "count": .number(layer.count)]
      object.set(inexactReason: layer.inexactReason)
      if let funnel = layer.funnel { object["funnel"] = funnel.json }
      ClassCount.add(layer.classes, to: &object)
      return .object(object)
    }
    var object: JSONObject = [
      "extent": extent?.json ?? .null, "wkid": .number((extent?.spatialReference ?? spatialReference).wkid),
      "scale": .number(scale), "layers": .array(layers),
    ]
    if let warnings { object["warnings"] = .array(warnings.map { .string($0) }) }
    return .object(object)
  }
}

extension CountAnswer.Layer {
  /// Creates a count.
  init(name: String, count: Int, inexactReason: String?, funnel: FilterFunnel?, classes: [ClassCount]?) {
    (self.name, self.count, self.inexactReason) = (name, count, inexactReason)
    (self.funnel, self.classes) = (funnel, classes)
  }

  /// Creates the count of a table from those of its layers.
  init(joining layers: [CountAnswer.Layer], name: String) {
    self.init(
      name: name, count: layers.reduce(0) { $0 + $1.count },
      inexactReason: layers.compactMap(\.inexactReason).first,
      funnel: layers.map(\.funnel).reduce(layers.first?.funnel?.emptied) { sum, next in
        sum.flatMap { sum in next.map { sum.adding($0) } }
      },
      classes: layers.contains { $0.classes == nil } ? nil : ClassCount.joined(layers.compactMap(\.classes)))
    warning = layers.compactMap(\.warning).first
    note = layers.compactMap(\.note).first
    classNotes = layers.flatMap(\.classNotes)
  }
}

extension ViewState {
  /// Counts the features of layers.
  ///
  /// Applies the definition expression and ignores the display filter. With a funnel, the count is its stage
  /// `extent`. A cancelled task stops before the next layer.
  /// - Throws: ``MapStateError``.
  public func counts(_ options: CountOptions) async throws(MapStateError) -> CountAnswer {
    var answers: [CountAnswer.Layer] = []
    let labelled = options.funnel && options.question.area == .view ? try await labelledFeatures() : nil
    for (index, layer) in layers.enumerated() where options.layers?.contains(index) ?? true {
      do {
        try Task.checkCancellation()
        try await naming(layer) { try layer.requireRows() }
        guard !options.funnel else {
          var layer = layer
          var funnel: FilterFunnel
          var classes: CountedClasses?
          var sentence: String?
          if options.question.area == .view {
            layer = try await fetched(layer)
            let drawing = try await drawing(of: layer, index: index)
            funnel = try await self.funnel(of: layer, drawing: drawing, options.question)
            if let labelled, labelsFeatures(of: layer) {
              funnel.labelled = try await count(labelled[index], of: layer, options.question)
            }
            if options.byClass {
              classes = try await self.classes(of: layer, drawing: drawing, options.question)
            }
            if options.question.addsNothing { sentence = invisibleSentence(of: layer, drawing, funnel) }
          } else {
            funnel = try await self.funnel(of: layer, options.question)
            if options.byClass { classes = try await classesElsewhere(of: layer, options.question) }
          }
          var answer = CountAnswer.Layer(
            name: layer.name, count: funnel.extent, inexactReason: layer.source.inexactReason,
            funnel: funnel, classes: classes?.counts)
          answer.classNotes = classes?.notes ?? []
          if funnel.drawsNothing { answer.warning = sentence } else { answer.note = sentence }
          if answer.note == nil, options.question.area == .view {
            answer.note = try await outsideNote(of: layer, options.question)
          }
          answers.append(answer)
          continue
        }
        let classes = options.byClass ? try await self.classes(of: layer, options.question) : nil
        let count: Int
        if let classes {
          count = classes.rowCount
        } else {
          count = try await self.count(of: layer, options.question)
        }
        var answer = CountAnswer.Layer(
          name: layer.name, count: count, inexactReason: layer.source.inexactReason, funnel: nil,
          classes: classes?.counts)
        answer.classNotes = classes?.notes ?? []
        if options.question.area == .view {
          answer.note = try await outsideNote(of: layer, options.question)
        }
        answers.append(answer)
      } catch {
        throw MapStateError(error)
      }
    }
    return CountAnswer(
      spatialReference: spatialReference, extent: options.question.extent(in: self), scale: viewpoint.scale,
      layers: answers)
  }
}

extension MapDocument {
  /// Returns counts in which the layers of each table are one.
  package func joined(_ answer: CountAnswer, layers asked: [Int]?) -> CountAnswer {
    var (layers, indexes) = (answer.layers, asked ?? Array(self.layers.indices))
    for table in splitTables {
      guard let first = indexes.firstIndex(of: table.layers.lowerBound),
        indexes[first...].starts(with: table.layers)
      else { continue }
      let range = first..<first + table.layers.count
      let joined = CountAnswer.Layer(joining: Array(layers[range]), name: table.name)
      layers.replaceSubrange(range, with: [joined])
      indexes.replaceSubrange(range, with: [table.layers.lowerBound])
    }
    return answer.with(layers)
  }
}
