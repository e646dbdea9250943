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
  /// The name of the kind in a list of events: `born`, `married`, `title`.
  var label: String {
    switch self {
    case .birth: "born"
    case .christening, .adultChristening: "christened"
    case .baptism: "baptized"
    case .blessing: "blessed"
    case .confirmation: "confirmed"
    case .adoption: "adopted"
    case .graduation: "graduated"
    case .ordination: "ordained"
    case .emigration: "emigrated"
    case .immigration: "immigrated"
    case .naturalization: "naturalized"
    case .retirement: "retired"
    case .death: "died"
    case .burial: "buried"
    case .cremation: "cremated"
    case .engagement: "engaged"
    case .marriage: "married"
    case .divorce: "divorced"
    case .annulment: "annulled"
    case .other: "event"
    // Each of the others is labelled with the words of its case.
    default: "\(self)".map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    }
  }
}
