/// A person as a program has it that knows nothing of Kinship: this module imports nothing.
public struct Person: Codable, Equatable, Sendable {
  /// The number of the person.
  public let id: Int
  /// The full name.
  public var name: String
  /// The number of the father, if he is known.
  public var fatherID: Int?
  /// The numbers of the person's events.
  public var eventIDs: [Int]

  /// Creates a person.
  ///
  /// - Parameters:
  ///   - id: The number.
  ///   - name: The full name.
  ///   - fatherID: The number of the father.
  ///   - eventIDs: The numbers of the events.
  public init(id: Int, name: String, fatherID: Int? = nil, eventIDs: [Int] = []) {
    self.id = id
    self.name = name
    self.fatherID = fatherID
    self.eventIDs = eventIDs
  }
}

/// An event of a person's life.
public struct Event: Codable, Equatable, Sendable {
  /// The number of the event.
  public let id: Int
  /// The year of the event.
  public var year: Int

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - id: The number.
  ///   - year: The year.
  public init(id: Int, year: Int) {
    self.id = id
    self.year = year
  }
}
