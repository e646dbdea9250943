import Kinship
import KinshipTranslation

extension Case {
  static let objects = Case(
    "objects", summary: "model objects to records, and changes back; ns a record",
    sizeName: "objects", sizes: { effort in effort == .full ? [10_000, 100_000] : [10_000] }
  ) { size, effort in
    let session = AncestorSession(AncestorModel.joined(Lineage.distinct(count: size).records))
    let byHand = try TranslatingStore(session, HandWrittenTranslator())
    let byMapping = try TranslatingStore(session, AncestorModel.mapping)
    let ids = Array(1...size)
    let passes = max(1, effort.operations(1_000_000) / size)

    func reading(_ name: String, _ store: TranslatingStore<AncestorSession>) -> System {
      System(name, bar: name == "a mapping, read" ? .ratio(4) : nil) {
        var found = 0
        let watch = Stopwatch()
        for _ in 0..<passes { found += try await store.fetch(Ancestor.self, ids: ids).count }
        return Sample(
          watch.elapsed, operations: passes * size,
          checks: [Check("records", found, expected: passes * size)])
      }
    }
    func writing(_ name: String, _ store: TranslatingStore<AncestorSession>) -> System {
      System(name) {
        let records = try await store.fetch(Ancestor.self, ids: ids)
        let cache = try GraphCache(for: Ancestor.self, store: store)
        _ = try await cache.find(ids.map { Ref<Ancestor>($0) })
        let watch = Stopwatch()
        try await cache.write { tx in
          for record in records { try tx.update(record.ref, \.birth, to: record.birth + 1) }
        }
        return Sample(
          watch.elapsed, operations: size, checks: [Check("records", records.count, expected: size)]
        )
      }
    }
    return Comparison(
      size: size,
      systems: [
        reading("translators by hand, read", byHand), reading("a mapping, read", byMapping),
        writing("translators by hand, a transaction", byHand),
        writing("a mapping, a transaction", byMapping),
      ])
  }
}

/// Model objects in memory, by their ids.
private struct AncestorContext: TranslationContext {
  let models: [Int: AncestorModel]

  func models<T: Translator>(for ids: [T.Translated.ID], by translator: T) throws -> [T.Model] {
    guard let ids = ids as? [Int], let found = ids.compactMap({ models[$0] }) as? [T.Model] else {
      throw UnexpectedModel(expected: AncestorModel.self, found: T.Model.self)
    }
    return found
  }
}

private actor AncestorSession: ModelSession {
  private let context: AncestorContext

  init(_ models: sending [Int: AncestorModel]) { context = AncestorContext(models: models) }

  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (AncestorContext) throws -> Answer
  ) throws -> Answer { try body(context) }

  func write<Answer: Sendable>(
    _ body: @escaping @Sendable (AncestorContext) throws -> Answer
  ) throws -> Answer { try body(context) }
}

extension AncestorModel {
  fileprivate static let mapping: Mapping<AncestorModel, Ancestor> = Mapping(
    id: \.id, Ancestor.init,
    .map(\.name, \.name),
    .map(\.place, \.place),
    .map(\.birth, \.birth),
    .map(\.father, \.father, by: AncestorModel.mapping),
    .map(\.mother, \.mother, by: AncestorModel.mapping))
}

private struct HandWrittenTranslator: Translator {
  func id(of model: AncestorModel) throws -> Int { model.id }

  func record(from model: AncestorModel) throws -> Ancestor {
    Ancestor(
      id: model.id, name: model.name, place: model.place, birth: model.birth,
      father: try ref(to: model.father), mother: try ref(to: model.mother))
  }

  func update(_ model: inout AncestorModel, from record: Ancestor, in models: ModelMap) throws {
    model.name = record.name
    model.place = record.place
    model.birth = record.birth
    model.father = try models.model(for: record.father, by: self)
    model.mother = try models.model(for: record.mother, by: self)
  }
}
