import Kinship

/// Something that happened to a person or a family, or was true of them.
struct Event: Record, Codable, Hashable {
  /// The position among the events of the file.
  let id: Int
  var kind: Kind
  /// What was true: the title, the occupation.
  var detail: String?
  var date: EventDate?
  var place: Ref<Place>?

  /// Whether the file says that it did not happen: `1 DIV N`.
  var isDenied: Bool { detail == "N" }

  static let relationships: Relationships<Event> = [.toOne(\.place)]
}

extension Event {
  /// The kinds of events and attributes of the standard, by their tags.
  enum Kind: String, Codable, CaseIterable, Sendable {
    case birth = "BIRT"
    case christening = "CHR"
    case adultChristening = "CHRA"
    case baptism = "BAPM"
    case blessing = "BLES"
    case firstCommunion = "FCOM"
    case confirmation = "CONF"
    case barMitzvah = "BARM"
    case batMitzvah = "BASM"
    case adoption = "ADOP"
    case graduation = "GRAD"
    case ordination = "ORDN"
    case emigration = "EMIG"
    case immigration = "IMMI"
    case naturalization = "NATU"
    case retirement = "RETI"
    case census = "CENS"
    case will = "WILL"
    case probate = "PROB"
    case death = "DEAT"
    case burial = "BURI"
    case cremation = "CREM"

    case engagement = "ENGA"
    case banns = "MARB"
    case marriageContract = "MARC"
    case marriageLicense = "MARL"
    case marriageSettlement = "MARS"
    case marriage = "MARR"
    case divorceFiled = "DIVF"
    case divorce = "DIV"
    case annulment = "ANUL"

    case title = "TITL"
    case occupation = "OCCU"
    case residence = "RESI"
    case education = "EDUC"
    case religion = "RELI"
    case nationality = "NATI"
    case caste = "CAST"
    case description = "DSCR"
    case property = "PROP"
    case fact = "FACT"
    case other = "EVEN"
  }
}

extension Event.Kind {
  /// How a list of events names it: `born`, `married`, `title`.
  var label: String {
    switch self {
    case .birth: "born"
    case .christening, .adultChristening: "christened"
    case .baptism: "baptized"
    case .blessing: "blessed"
    case .firstCommunion: "first communion"
    case .confirmation: "confirmed"
    case .barMitzvah: "bar mitzvah"
    case .batMitzvah: "bat mitzvah"
    case .adoption: "adopted"
    case .graduation: "graduated"
    case .ordination: "ordained"
    case .emigration: "emigrated"
    case .immigration: "immigrated"
    case .naturalization: "naturalized"
    case .retirement: "retired"
    case .census: "census"
    case .will: "will"
    case .probate: "probate"
    case .death: "died"
    case .burial: "buried"
    case .cremation: "cremated"
    case .engagement: "engaged"
    case .banns: "banns"
    case .marriageContract: "marriage contract"
    case .marriageLicense: "marriage license"
    case .marriageSettlement: "marriage settlement"
    case .marriage: "married"
    case .divorceFiled: "divorce filed"
    case .divorce: "divorced"
    case .annulment: "annulled"
    case .title: "title"
    case .occupation: "occupation"
    case .residence: "residence"
    case .education: "education"
    case .religion: "religion"
    case .nationality: "nationality"
    case .caste: "caste"
    case .description: "description"
    case .property: "property"
    case .fact: "fact"
    case .other: "event"
    }
  }
}
