/// The records of a file, or of a genealogy that was made up.
struct Genealogy: Sendable {
  var persons: [Person] = []
  var families: [Family] = []
  var events: [Event] = []
  var places: [Place] = []

  var size: Archive.Size {
    Archive.Size(
      persons: persons.count, families: families.count, events: events.count,
      places: places.count)
  }
}
