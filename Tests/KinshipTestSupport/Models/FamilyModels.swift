package final class PersonModel: ManagedModel<PersonValues> {
  package var name: String? {
    get { values.name }
    set { values.name = newValue }
  }
  package var father: PersonModel? {
    get { values.father }
    set { values.father = newValue }
  }
  package var mother: PersonModel? {
    get { values.mother }
    set { values.mother = newValue }
  }
  package var children: [PersonModel] {
    get { values.children }
    set { values.children = newValue }
  }
  package var events: [EventModel] {
    get { values.events }
    set { values.events = newValue }
  }
}

package final class EventModel: ManagedModel<EventValues> {
  package var title: String {
    get { values.title }
    set { values.title = newValue }
  }
  package var person: PersonModel? {
    get { values.person }
    set { values.person = newValue }
  }
  package var place: PlaceModel? {
    get { values.place }
    set { values.place = newValue }
  }
}

package final class PlaceModel: ManagedModel<PlaceValues> {
  package var name: String {
    get { values.name }
    set { values.name = newValue }
  }
  package var region: PlaceModel? {
    get { values.region }
    set { values.region = newValue }
  }
}

package final class SourceModel: ManagedModel<SourceValues> {
  package var details: SourceValues.Details {
    get { values.details }
    set { values.details = newValue }
  }
  package var whole: SourceModel? {
    get { values.whole }
    set { values.whole = newValue }
  }
}

package final class CitationModel: ManagedModel<CitationValues> {
  package var source: SourceModel? {
    get { values.source }
    set { values.source = newValue }
  }
  package var people: [PersonModel] {
    get { values.people }
    set { values.people = newValue }
  }
  package var page: Int? {
    get { values.page }
    set { values.page = newValue }
  }
  package var text: String {
    get { values.text }
    set { values.text = newValue }
  }
  package var version: Int {
    get { values.version }
    set { values.version = newValue }
  }
}

package struct PersonValues: ModelValues {
  package var id = 0
  var name: String?
  var father: PersonModel?
  var mother: PersonModel?
  var children: [PersonModel] = []
  var events: [EventModel] = []

  package init() {}
}

package struct EventValues: ModelValues {
  package var id = 0
  var title = ""
  var person: PersonModel?
  var place: PlaceModel?

  package init() {}
}

package struct PlaceValues: ModelValues {
  package var id = 0
  var name = ""
  var region: PlaceModel?

  package init() {}
}

package struct SourceValues: ModelValues {
  package struct Details {
    var title = ""
    var author: String?
    var year: Int?
    var quality = 0.0
    var weight: Double?
    var isOriginal = false
    var isPrinted: Bool?
  }

  package var id = ""
  var details = Details()
  var whole: SourceModel?

  package init() {}
}

package struct CitationValues: ModelValues {
  package var id = 0
  var source: SourceModel?
  var people: [PersonModel] = []
  var page: Int?
  var text = ""
  var version = 0

  package init() {}
}
