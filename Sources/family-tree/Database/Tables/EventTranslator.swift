import Kinship
import KinshipSQL

/// Events as rows and back.
struct EventTranslator: RowTranslator {
  let columns = ["id", "kind", "detail", "date", "place"]

  func record(from row: borrowing SQLRow) throws -> Event {
    Event(
      id: try row.value(at: 0), kind: try row.value(at: 1), detail: try row.value(at: 2),
      date: try row.value(at: 3, as: String?.self).map(EventDate.init),
      place: try row.value(at: 4))
  }

  func bind(_ event: Event, to values: inout SQLValues) throws {
    try values.append(event.id)
    try values.append(event.kind)
    try values.append(event.detail)
    try values.append(event.date?.text)
    try values.append(event.place)
  }
}

extension Event.Kind: SQLConvertible {}
