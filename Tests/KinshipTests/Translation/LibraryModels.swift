import Kinship
import KinshipTranslation

/// Model objects as SwiftData has them: classes that refer to each other, which only the actor of
/// their context may touch, and which it validates when it saves.
class LibraryObject: Identifiable {
  let id: Int

  required init(id: Int) { self.id = id }

  /// Returns a closure that restores the present values.
  func restoring() -> () -> Void { {} }

  /// Throws if the object must not be saved.
  func validate() throws {}
}

final class NovelistModel: LibraryObject {
  var name: String?
  var gender = "unknown"
  var home = AddressModel()
  var office: AddressModel?
  var works: [NovelModel] = []
  var rank: Int?

  override func restoring() -> () -> Void {
    let values = (name, gender, home, office, works, rank)
    return { [self] in (name, gender, home, office, works, rank) = values }
  }

  override func validate() throws {
    if name == "" {
      throw InvalidModel("Novelist", id: id, property: "name", cause: UntranslatableField.NoValue())
    }
  }
}

final class NovelModel: LibraryObject {
  var heading = ""
  var author: NovelistModel?

  override func restoring() -> () -> Void {
    let values = (heading, author)
    return { [self] in (heading, author) = values }
  }
}

/// A composite value, as an attribute may be.
struct AddressModel {
  var line1: String?
  var city = ""
}

struct Novelist: GraphRecord, Hashable, Codable {
  enum Sex: String, Codable { case female, male, unknown }

  struct Address: Hashable, Codable {
    var street: String
    var town: String
  }

  let id: Int
  var name: String
  var sex = Sex.unknown
  var home = Address(street: "", town: "")
  var office: Address?
  var books: [Ref<Novel>] = []
  var rank: Int?

  static let relationships: Relationships<Novelist> = [.toMany(\.books)]
}

struct Novel: GraphRecord, Hashable, Codable {
  let id: Int
  var title: String
  var author: Ref<Novelist>?

  static let relationships: Relationships<Novel> = [.toOne(\.author)]
}

extension NovelistModel {
  static let mapping: Mapping<NovelistModel, Novelist> = Mapping(
    id: \.id, Novelist.init,
    .map(\.name, \.name),
    .map(\.sex, \.gender, reading: Novelist.Sex.init(rawValue:), writing: \.rawValue),
    .map(\.home, \.home, by: AddressModel.mapping),
    .map(\.office, \.office, by: AddressModel.mapping, new: AddressModel.init),
    .map(\.books, \.works, by: NovelModel.mapping),
    .map(\.rank, \.rank))
}

extension NovelModel {
  static let mapping: Mapping<NovelModel, Novel> = Mapping(
    id: \.id, Novel.init,
    .map(\.title, \.heading),
    .map(\.author, \.author, by: NovelistModel.mapping))
}

extension AddressModel {
  static let mapping = NestedMapping<AddressModel, Novelist.Address>(
    Novelist.Address.init, .map(\.street, \.line1), .map(\.town, \.city))
}

final class LibraryContext: ObjectContext {
  private var objects: [LibraryObject] = []

  func objects<ID: Hashable & Sendable>(of type: LibraryObject.Type, ids: [ID]) -> [LibraryObject] {
    let ids = Set(ids.compactMap { $0 as? Int })
    return allObjects(of: type).filter { ids.contains($0.id) }
  }

  func allObjects(of type: LibraryObject.Type) -> [LibraryObject] {
    objects.filter { Swift.type(of: $0) == type }
  }

  func insertObject<ID: Hashable & Sendable>(
    of type: LibraryObject.Type, id: ID
  ) throws -> LibraryObject {
    guard let id = id as? Int else { throw UnexpectedModel(expected: Int.self, found: ID.self) }
    let object = type.init(id: id)
    objects.append(object)
    return object
  }

  func deleteObject(_ object: LibraryObject) { objects.removeAll { $0 === object } }

  /// Runs a closure and validates all objects, or restores them.
  func transaction<Answer>(_ body: (LibraryContext) throws -> Answer) throws -> Answer {
    let before = (objects, objects.map { $0.restoring() })
    do {
      let answer = try body(self)
      for object in objects { try object.validate() }
      return answer
    } catch {
      objects = before.0
      for restore in before.1 { restore() }
      throw error
    }
  }
}

/// The actor that owns the model objects.
actor LibrarySession: ModelSession {
  private let context = LibraryContext()
  var failure: (any Error)?

  struct ConnectionLost: Error {}

  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (LibraryContext) throws -> Answer
  ) throws -> Answer { try body(context) }

  func write<Answer: Sendable>(
    _ body: @escaping @Sendable (LibraryContext) throws -> Answer
  ) throws -> Answer {
    try context.transaction { context in
      let answer = try body(context)
      if let failure { throw failure }
      return answer
    }
  }

  nonisolated func classify(_ error: any Error) -> ModelErrorClass {
    error is ConnectionLost ? .outage : .defect
  }

  func fail(with error: (any Error)?) { failure = error }
}
