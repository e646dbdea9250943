/// Names for people who never lived, from the land between Bohemia and Bavaria.
enum SampleNames {
  static let men = [
    "Adam", "Anton", "Bartoloměj", "Ferdinand", "Franz", "Georg", "Ignaz", "Jakub", "Jan", "Johann",
    "Josef", "Karel", "Kašpar", "Leopold", "Lukáš", "Matěj", "Matthias", "Michael", "Ondřej",
    "Řehoř", "Sebastian", "Tomáš", "Václav", "Vojtěch",
  ]

  static let women = [
    "Alžběta", "Anna", "Apolonia", "Barbora", "Cäcilia", "Dorota", "Elisabeth", "Eva", "Franziska",
    "Josefa", "Kateřina", "Klara", "Kristýna", "Ludmila", "Magdalena", "Marie", "Rosina",
    "Salomena", "Theresia", "Uršula", "Veronika", "Zuzana",
  ]

  static let surnames = [
    "Bauer", "Bílek", "Brückner", "Čermák", "Dvořák", "Ebner", "Fiala", "Gruber", "Hájek", "Hofer",
    "Jäger", "Kadlec", "Königsberger", "Kovář", "Lindner", "Müllner", "Novák", "Pokorný", "Růžička",
    "Schönauer", "Steiner", "Šimek", "Vlček", "Zeman",
  ]

  static let places = [
    "Český Krumlov, Bohemia", "Freistadt, Upper Austria", "Haslach an der Mühl, Upper Austria",
    "Horní Planá, Bohemia", "Kaplice, Bohemia", "Passau, Bavaria", "Prachatice, Bohemia",
    "Rohrbach, Upper Austria", "Rožmberk nad Vltavou, Bohemia", "Vimperk, Bohemia",
    "Volary, Bohemia", "Waldkirchen, Bavaria", "Wegscheid, Bavaria", "Vyšší Brod, Bohemia",
  ]

  static let trades = [
    "baker", "carpenter", "cooper", "farmer", "glassmaker", "linen weaver", "miller", "raftsman",
    "salt carter", "schoolmaster", "shoemaker", "smith", "tanner",
  ]
}
