import Kinship

/// The contents of three stores, in dictionaries.
///
/// A person may have a portrait, and photos and letters may be of a person: changes in one store
/// set refs in the others.
struct RoutedContents {
  /// A record type, each with a store of its own.
  enum Kind: Int, CaseIterable { case person, photo, letter }

  struct Person: GraphRecord, Hashable {
    let id: Int
    var value: Int
    var portrait: Ref<Photo>?

    static let relationships: Relationships<Person> = [.toOne(\.portrait)]
  }

  struct Photo: GraphRecord, Hashable {
    let id: Int
    var value: Int
    var subject: Ref<Person>?

    static let relationships: Relationships<Photo> = [.toOne(\.subject)]
  }

  struct Letter: GraphRecord, Hashable {
    let id: String
    var value: Int
    var author: Ref<Person>?

    static let relationships: Relationships<Letter> = [.toOne(\.author, onTargetDelete: .cascade)]
  }

  private(set) var people: [Int: Person] = [:]
  private(set) var photos: [Int: Photo] = [:]
  private(set) var letters: [String: Letter] = [:]

  mutating func make(_ edit: RoutedCommand.Edit) {
    switch edit {
    case .put(.person, let number, let value, let other):
      people[number] = Person(id: number, value: value, portrait: other.map { Ref($0) })
    case .put(.photo, let number, let value, let other):
      photos[number] = Photo(id: number, value: value, subject: other.map { Ref($0) })
    case .put(.letter, let number, let value, let other):
      letters["\(number)"] = Letter(id: "\(number)", value: value, author: other.map { Ref($0) })
    case .delete(.person, let number):
      if people.removeValue(forKey: number) == nil { return }
      for id in photos.keys where photos[id]?.subject?.id == number { photos[id]?.subject = nil }
      letters = letters.filter { $0.value.author?.id != number }
    case .delete(.photo, let number):
      if photos.removeValue(forKey: number) == nil { return }
      for id in people.keys where people[id]?.portrait?.id == number { people[id]?.portrait = nil }
    case .delete(.letter, let number): letters["\(number)"] = nil
    }
  }

  func differs(from other: RoutedContents, in kind: Kind) -> Bool {
    switch kind {
    case .person: people != other.people
    case .photo: photos != other.photos
    case .letter: letters != other.letters
    }
  }

  mutating func take(_ kind: Kind, from other: RoutedContents) {
    switch kind {
    case .person: people = other.people
    case .photo: photos = other.photos
    case .letter: letters = other.letters
    }
  }
}
