import Kinship
import KinshipTesting
import KinshipTranslation

/// A decoded JSON value.
enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case list([JSON])
}

/// A model that is a dictionary: nothing says which keys it has.
struct JSONObject: Hashable, Sendable {
  var fields: [String: JSON] = [:]

  struct UnexpectedJSON: Error {
    let key: String
    let value: JSON
  }

  func value<Value: JSONConvertible>(_ key: String) throws -> Value {
    let json = fields[key] ?? .null
    guard let value = Value(json) else { throw UnexpectedJSON(key: key, value: json) }
    return value
  }
}

/// The lines that this technology needs once, for all its mappings.
extension MappedProperty where Model == JSONObject, Value: JSONConvertible {
  static func map(_ path: any KeyPath<Root, Value> & Sendable, _ key: String) -> Self {
    Self(
      path, reading: { try $0.value(key) },
      writing: { model, value, _ in model.fields[key] = value.json })
  }
}

extension JSONObject {
  static let people = Mapping<JSONObject, TestPerson>(
    id: { try $0.value("id") }, TestPerson.init,
    .map(\.name, "fullName"), .map(\.father, "father"), .map(\.mother, "mother"),
    .map(\.children, "children"), .map(\.events, "events"))

  static let events = Mapping<JSONObject, TestEvent>(
    id: { try $0.value("id") }, TestEvent.init,
    .map(\.title, "kind"), .map(\.person, "person"), .map(\.place, "place"))

  static let places = Mapping<JSONObject, TestPlace>(
    id: { try $0.value("id") }, TestPlace.init, .map(\.name, "name"), .map(\.region, "partOf"))

  static let sources = Mapping<JSONObject, TestSource>(
    id: { try $0.value("id") }, TestSource.init,
    .map(\.title, "title"), .map(\.author, "author"), .map(\.year, "year"),
    .map(\.quality, "quality"), .map(\.weight, "weight"), .map(\.isOriginal, "original"),
    .map(\.isPrinted, "printed"), .map(\.whole, "partOf"))

  static let citations = Mapping<JSONObject, TestCitation>(
    id: { try $0.value("id") }, TestCitation.init,
    .map(\.source, "source"), .map(\.people, "people"), .map(\.page, "page"),
    .map(\.text, "text"), .map(\.version, "version"))
}

/// The objects by collection and id.
final class JSONCollections: TranslationContext {
  var objects: [String: [AnyHashable: JSONObject]] = [:]

  func models<T: Translator>(for ids: [T.Translated.ID], by translator: T) throws -> [T.Model] {
    let known = objects[T.Translated.recordName] ?? [:]
    return try typed(ids.compactMap { known[AnyHashable($0)] }, by: translator)
  }

  func allModels<T: Translator>(by translator: T) throws -> [T.Model] {
    try typed((objects[T.Translated.recordName] ?? [:]).map(\.value), by: translator)
  }

  func insertModel<T: Translator>(for record: T.Translated, by translator: T) throws -> T.Model {
    let id = (record.id as? Int).map(JSON.integer) ?? .string("\(record.id)")
    return try typed([JSONObject(fields: ["id": id])], by: translator)[0]
  }

  func save<T: Translator>(_ model: T.Model, by translator: T) throws {
    objects[T.Translated.recordName, default: [:]][try translator.id(of: model)] =
      model as? JSONObject
  }

  func delete<T: Translator>(_ model: T.Model, by translator: T) throws {
    objects[T.Translated.recordName]?[try translator.id(of: model)] = nil
  }

  private func typed<T: Translator>(_ objects: [JSONObject], by: T) throws -> [T.Model] {
    guard let models = objects as? [T.Model] else {
      throw UnexpectedModel(expected: JSONObject.self, found: T.Model.self)
    }
    return models
  }
}

actor JSONSession: ModelSession {
  private let collections = JSONCollections()

  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (JSONCollections) throws -> Answer
  ) throws -> Answer { try body(collections) }

  func write<Answer: Sendable>(
    _ body: @escaping @Sendable (JSONCollections) throws -> Answer
  ) throws -> Answer {
    let before = collections.objects
    do { return try body(collections) } catch {
      collections.objects = before
      throw error
    }
  }

  static func store() throws -> TranslatingStore<JSONSession> {
    try TranslatingStore(
      JSONSession(), JSONObject.people, JSONObject.events, JSONObject.places, JSONObject.sources,
      JSONObject.citations)
  }
}

/// A value with a form in JSON.
protocol JSONConvertible: SendableMetatype {
  init?(_ json: JSON)
  var json: JSON { get }
}

extension Bool: JSONConvertible {
  init?(_ json: JSON) { if case .bool(let value) = json { self = value } else { return nil } }
  var json: JSON { .bool(self) }
}

extension Int: JSONConvertible {
  init?(_ json: JSON) { if case .integer(let value) = json { self = value } else { return nil } }
  var json: JSON { .integer(self) }
}

extension Double: JSONConvertible {
  init?(_ json: JSON) { if case .number(let value) = json { self = value } else { return nil } }
  var json: JSON { .number(self) }
}

extension String: JSONConvertible {
  init?(_ json: JSON) { if case .string(let value) = json { self = value } else { return nil } }
  var json: JSON { .string(self) }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
  init?(_ json: JSON) {
    if json == .null {
      self = .none
    } else if let value = Wrapped(json) {
      self = value
    } else {
      return nil
    }
  }

  var json: JSON { map(\.json) ?? .null }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  init?(_ json: JSON) {
    guard case .list(let list) = json else { return nil }
    self = list.compactMap { Element($0) }
    if count != list.count { return nil }
  }

  var json: JSON { .list(map(\.json)) }
}

extension Ref: JSONConvertible where R.ID: JSONConvertible {
  init?(_ json: JSON) { if let id = R.ID(json) { self.init(id) } else { return nil } }
  var json: JSON { id.json }
}
