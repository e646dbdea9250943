public import Foundation
public import Kinship

extension StoreConformance {
  /// Verifies that a store returns each property of a record as it was written.
  ///
  /// It finds the properties that a translator leaves out, when it reads or when it writes:
  ///
  /// ```swift
  /// try await StoreConformance.verifyRoundTrip(
  ///   of: [
  ///     Person(id: 1, name: "Albert", father: 2, events: [10]),
  ///     Person(id: 1, name: "Ernst"),
  ///   ], in: store)
  /// ```
  ///
  /// Give at least two samples with the same id that differ in every other property. A third one
  /// can combine values: each sample is inserted, updated to each other one, and deleted.
  ///
  /// - Parameters:
  ///   - samples: The samples. The records that they refer to must be in the store.
  ///   - store: A store without a record of that id.
  /// - Throws: ``Failure``, with ``LostProperties`` as its cause if some values were lost, or
  ///   ``IndistinctSamples`` if the samples do not differ in some properties.
  /// - Complexity: O(*n*²) in the samples, with five calls to the store for each two.
  public static func verifyRoundTrip<R: GraphRecord>(
    of samples: [R], in store: any BackingStore
  ) async throws {
    try await check("return each property of \(R.recordName) as it was written") {
      let fields = samples.map { SampleField.all(of: $0) }
      let constant = (fields.first ?? []).filter { field in
        field.name != "id" && fields.allSatisfy { field.isEqual(toItsLikeIn: $0) }
      }
      if samples.count < 2 || !constant.isEmpty || Set(samples.map(\.id)).count > 1 {
        throw IndistinctSamples(type: R.recordName, properties: constant.map(\.name))
      }
      var losses: [LostProperties.Loss] = []
      func read(_ sample: R) async throws -> R {
        let found = try await store.fetch(R.self, ids: [sample.id])
        guard let record = found.first else { throw KinshipError.missing(AnyRef(sample.ref)) }
        let stored = SampleField.all(of: record)
        for field in SampleField.all(of: sample) where !field.isEqual(toItsLikeIn: stored) {
          if losses.contains(where: { $0.name == field.name }) { continue }
          let read = stored.first { $0.name == field.name }?.text ?? "another type"
          losses.append(.init(name: field.name, written: field.text, read: read))
        }
        return record
      }
      for (number, first) in samples.enumerated() {
        for (other, second) in samples.enumerated() where number != other {
          try await store.apply(ChangeSet(inserting: [first]))
          // The base is what the store has: a lost property must not become a conflict.
          let base = try await read(first)
          let update = UpdatedRecord(second.ref, old: base, new: second, properties: nil)
          try await store.apply(ChangeSet(updating: [update]))
          try await store.apply(ChangeSet(deleting: [try await read(second)]))
        }
      }
      if !losses.isEmpty { throw LostProperties(type: R.recordName, losses: losses) }
    }
  }

  /// An error: some properties of a record are not what was written.
  public struct LostProperties: LocalizedError, CustomStringConvertible {
    /// A property, with the first values that differ.
    public struct Loss: Hashable, Sendable {
      /// The name of the property.
      public let name: String
      /// The value that was written, as text.
      public let written: String
      /// The value that was read, as text.
      public let read: String
    }

    /// The name of the record type.
    public let type: String
    /// The properties, each once.
    public let losses: [Loss]

    /// Names each property with both values, and says what to do.
    public var description: String {
      losses.map { "\(type).\($0.name) was written as \($0.written) and read as \($0.read)." }
        .joined(separator: " ") + " Translate each both ways."
    }

    /// The description, for `localizedDescription`.
    public var errorDescription: String? { description }
  }

  /// An error: samples cannot show whether some properties are lost.
  public struct IndistinctSamples: LocalizedError, CustomStringConvertible {
    /// The name of the record type.
    public let type: String
    /// The properties that have the same value in all samples.
    public let properties: [String]

    /// Says what to do.
    public var description: String {
      "The samples of \(type) cannot show a loss. Give at least two with the same id"
        + (properties.isEmpty
          ? "." : " and different values of: \(properties.joined(separator: ", ")).")
    }

    /// The description, for `localizedDescription`.
    public var errorDescription: String? { description }
  }
}

/// The value of a stored property, also within a nested struct.
private struct SampleField {
  let name: String
  let value: Any

  var text: String { String(reflecting: value) }

  /// The stored properties of a value, those of nested structs one by one.
  static func all(of value: Any, _ prefix: String = "") -> [SampleField] {
    Mirror(reflecting: value).children.flatMap { label, child in
      let name = prefix + (label ?? "")
      return isNested(child) ? all(of: child, "\(name).") : [SampleField(name: name, value: child)]
    }
  }

  /// Whether a value is a struct of the program's own: others have parts that no one translates.
  private static func isNested(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    let module = String(reflecting: type(of: value)).prefix { $0 != "." }
    return mirror.displayStyle == .struct && !mirror.children.isEmpty
      && !["Swift", "Foundation", "FoundationEssentials", "Kinship"].contains(module)
  }

  /// Whether the property of the same name has an equal value.
  func isEqual(toItsLikeIn others: [SampleField]) -> Bool {
    guard let other = others.first(where: { $0.name == name }) else { return false }
    func isEqual<Value: Equatable>(_ value: Value) -> Bool { value == other.value as? Value }
    return (value as? any Equatable).map { isEqual($0) } ?? (text == other.text)
  }
}
