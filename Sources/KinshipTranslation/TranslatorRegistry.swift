internal import Kinship

/// The translators of a store, by record type.
struct TranslatorRegistry: Sendable {
  private var translators: [ObjectIdentifier: any Translator] = [:]

  init(_ list: [any Translator]) throws(KinshipError) {
    for translator in list { try add(translator) }
  }

  private mutating func add<T: Translator>(_ translator: T) throws(KinshipError) {
    let key = ObjectIdentifier(T.Translated.self)
    if translators.updateValue(translator, forKey: key) != nil {
      throw .invalidSchema(.duplicateTranslator(type: T.Translated.recordName))
    }
  }

  /// The translator of a record type; throws if there is none.
  func translator<R: GraphRecord>(of type: R.Type) throws(KinshipError) -> any Translator<R> {
    guard let translator = translators[ObjectIdentifier(type)] as? any Translator<R> else {
      throw .invalidSchema(.noTranslator(type: R.recordName))
    }
    return translator
  }

  /// The translator of a record type that is known only at run time.
  func translator(ofErased type: any GraphRecord.Type) -> (any Translator)? {
    translators[ObjectIdentifier(type)]
  }
}
