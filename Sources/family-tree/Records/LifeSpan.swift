/// The years of a life, as far as events tell them.
struct LifeSpan: Equatable {
  var birth: EventDate?
  var death: EventDate?

  /// A baptism stands in for an unknown birth, a burial for an unknown death.
  init(_ events: some Sequence<Event>) {
    var (baptism, burial): (EventDate?, EventDate?)
    for event in events {
      switch event.kind {
      case .birth: birth = birth ?? event.date
      case .christening, .baptism: baptism = baptism ?? event.date
      case .death: death = death ?? event.date
      case .burial, .cremation: burial = burial ?? event.date
      default: break
      }
    }
    birth = birth?.year == nil ? baptism ?? birth : birth
    death = death?.year == nil ? burial ?? death : death
  }

  /// `1819–1901`, `b. 1948`, `d. 1066`; nil where no year is known.
  var years: String? {
    switch (birth?.shortYear, death?.shortYear) {
    case (let birth?, let death?): "\(birth)–\(death)"
    case (let birth?, nil): "b. \(birth)"
    case (nil, let death?): "d. \(death)"
    case (nil, nil): nil
    }
  }
}
