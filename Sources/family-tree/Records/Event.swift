import Kinship

/// Something that happened to a person or a family, or was true of them.
struct Event: GraphRecord, Codable, Hashable {
  /// The position among the events of the file.
  let id: Int
  var kind: Kind
  /// The value of a fact: the title, the occupation.
  var detail: String?
  var date: EventDate?
  var place: Ref<Place>?

  /// Whether the file says that it did not happen: `1 DIV N`.
  var isDenied: Bool { detail == "N" }

  static let relationships: Relationships<Event> = [.toOne(\.place)]

  /// The kinds of events and attributes of the standard, by their tags.
  struct Kind: RawRepresentable, Codable, Hashable, Sendable {
    let rawValue: String

    static let birth = Kind(tag: "BIRT")
    static let christening = Kind(tag: "CHR")
    static let baptism = Kind(tag: "BAPM")
    static let adoption = Kind(tag: "ADOP")
    static let marriage = Kind(tag: "MARR")
    static let death = Kind(tag: "DEAT")
    static let burial = Kind(tag: "BURI")
    static let cremation = Kind(tag: "CREM")

    private init(tag: String) { rawValue = tag }

    init?(rawValue: String) {
      if Self.labels[rawValue] == nil { return nil }
      self.rawValue = rawValue
    }

    /// The name of the kind in a list of events: `born`, `married`, `title`.
    var label: String { Self.labels[rawValue] ?? rawValue }

    private static let labels = [
      "BIRT": "born", "CHR": "christened", "CHRA": "christened", "BAPM": "baptized",
      "BLES": "blessed", "FCOM": "first communion", "CONF": "confirmed", "BARM": "bar mitzvah",
      "BASM": "bat mitzvah", "ADOP": "adopted", "GRAD": "graduated", "ORDN": "ordained",
      "EMIG": "emigrated", "IMMI": "immigrated", "NATU": "naturalized", "RETI": "retired",
      "CENS": "census", "WILL": "will", "PROB": "probate", "DEAT": "died", "BURI": "buried",
      "CREM": "cremated", "ENGA": "engaged", "MARB": "banns", "MARC": "marriage contract",
      "MARL": "marriage license", "MARS": "marriage settlement", "MARR": "married",
      "DIVF": "divorce filed", "DIV": "divorced", "ANUL": "annulled", "TITL": "title",
      "OCCU": "occupation", "RESI": "residence", "EDUC": "education", "RELI": "religion",
      "NATI": "nationality", "CAST": "caste", "DSCR": "description", "PROP": "property",
      "FACT": "fact", "EVEN": "event",
    ]
  }
}

/// A place: all that a file says of it is its name, which is therefore its identity.
struct Place: GraphRecord, Codable, Hashable {
  let id: String

  var name: String { id }

  /// `Kensington, London` for `Kensington,,London`.
  var readableName: String {
    id.split(separator: ",").map(\.trimmingBlanks).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
