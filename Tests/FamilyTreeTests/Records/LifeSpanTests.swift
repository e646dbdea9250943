import Kinship
import Testing

@testable import family_tree

struct LifeSpanTests {
  private func years(_ events: (Event.Kind, String)...) -> String? {
    LifeSpan(
      events.map { kind, date in
        var event = Event(id: 0, kind: kind)
        event.date = EventDate(rawValue: date)
        return event
      }
    ).years
  }

  @Test func `a life span shows the known years`() {
    #expect(years() == nil)
    #expect(years((.birth, "1 JAN 1900"), (.death, "1980")) == "1900–1980")
    #expect(years((.birth, "ABT 1900")) == "b. c. 1900")
    #expect(years((.death, "BEF 1066")) == "d. bef. 1066")
    #expect(years((.marriage, "1900")) == nil)
  }

  @Test func `a birthplace comes from a birth or christening`() {
    func place(_ events: (Event.Kind, String?)...) -> String? {
      LifeSpan(
        events.map { kind, place in
          Event(id: 0, kind: kind, place: place.map { Ref($0) })
        }
      ).birthplace?.id
    }
    #expect(place((.birth, nil), (.baptism, "A"), (.birth, "B"), (.birth, "C")) == "B")
    #expect(place((.death, "D"), (.christening, "A")) == "A")
    #expect(place((.death, "D")) == nil)
  }

  @Test func `baptism and burial replace birth and death`() {
    #expect(years((.christening, "1901"), (.burial, "1980")) == "1901–1980")
    #expect(years((.birth, "unknown"), (.baptism, "1901")) == "b. 1901")
    #expect(years((.baptism, "1901"), (.birth, "1900")) == "b. 1900")
  }
}
