/// The differences to ignore when texts are compared.
///
/// Both texts are folded first, in the same way on every platform and in every store:
///
/// 1. To ignore diacritics, letters are decomposed by Unicode's canonical decomposition, and all
///    nonspacing marks are dropped: “é” becomes “e”, “й” becomes “и”, “が” becomes “か”. Vowel signs
///    that are such marks, as in Arabic and Hebrew, are dropped as well. “ø” and “ł” are letters of
///    their own.
/// 2. To ignore the case, the text is converted to lower, to upper and again to lower case, as
///    Swift's strings do it, whatever the language: “ẞ” and “ß” become “ss”, “Σ” and “ς”
///    become “σ”.
public struct TextFolding: OptionSet, Hashable, Sendable {
  /// The bits of the differences to ignore.
  public let rawValue: Int

  /// Creates a set of its bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Ignores whether letters are upper or lower case.
  public static let `case` = TextFolding(rawValue: 1)

  /// Accents and other marks on letters.
  public static let diacritics = TextFolding(rawValue: 2)

  /// Returns a text without the differences to ignore.
  ///
  /// - Parameter text: The text.
  /// - Returns: The folded text.
  /// - Complexity: O(*n*) in the text.
  public func folded(_ text: String) -> String {
    var text = text
    if contains(.diacritics) {
      var scalars = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        if scalar.isASCII {
          scalars.append(scalar)
        } else if let base = Self.bases[scalar] {
          scalars.append(contentsOf: base)
        } else if scalar.properties.generalCategory != .nonspacingMark {
          scalars.append(scalar)
        }
      }
      text = String(scalars)
    }
    return contains(.case) ? text.lowercased().uppercased().lowercased() : text
  }

  /// The base scalars of the characters that Unicode composes with nonspacing marks.
  private static let bases: [Unicode.Scalar: [Unicode.Scalar]] = {
    var bases: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for group in composed.unicodeScalars.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let parts = group.split(separator: ":")
      for scalar in parts[1] { bases[scalar] = Array(parts[0]) }
    }
    return bases
  }()

  /// Each base, with the characters that are composed from it.
  private static let composed = """
    A:ÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶÅ C:ÇĆĈĊČḈ E:ÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ I:ÌÍÎÏĨĪĬĮİǏȈȊḬḮỈỊ
    N:ÑŃŅŇǸṄṆṈṊ O:ÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢ U:ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ Y:ÝŶŸȲẎỲỴỶỸ
    a:àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ c:çćĉċčḉ e:èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ i:ìíîïĩīĭįǐȉȋḭḯỉị
    n:ñńņňǹṅṇṉṋ o:òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ u:ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự
    y:ýÿŷȳẏẙỳỵỷỹ D:ĎḊḌḎḐḒ d:ďḋḍḏḑḓ G:ĜĞĠĢǦǴḠ g:ĝğġģǧǵḡ H:ĤȞḢḤḦḨḪ h:ĥȟḣḥḧḩḫẖ J:Ĵ j:ĵǰ K:ĶǨḰḲḴ
    k:ķǩḱḳḵ L:ĹĻĽḶḸḺḼ l:ĺļľḷḹḻḽ R:ŔŖŘȐȒṘṚṜṞ r:ŕŗřȑȓṙṛṝṟ S:ŚŜŞŠȘṠṢṤṦṨ s:śŝşšșṡṣṥṧṩ T:ŢŤȚṪṬṮṰ
    t:ţťțṫṭṯṱẗ W:ŴẀẂẄẆẈ w:ŵẁẃẅẇẉẘ Z:ŹŻŽẐẒẔ z:źżžẑẓẕ Æ:ǢǼ æ:ǣǽ Ʒ:Ǯ ʒ:ǯ Ø:Ǿ ø:ǿ ¨:΅῁῭΅
    Α:ΆἈἉἊἋἌἍἎἏᾈᾉᾊᾋᾌᾍᾎᾏᾸᾹᾺΆᾼ Ε:ΈἘἙἚἛἜἝῈΈ Η:ΉἨἩἪἫἬἭἮἯᾘᾙᾚᾛᾜᾝᾞᾟῊΉῌ Ι:ΊΪἸἹἺἻἼἽἾἿῘῙῚΊ Ο:ΌὈὉὊὋὌὍῸΌ
    Υ:ΎΫὙὛὝὟῨῩῪΎ Ω:ΏὨὩὪὫὬὭὮὯᾨᾩᾪᾫᾬᾭᾮᾯῺΏῼ ι:ΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ α:άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ
    ε:έἐἑἒἓἔἕὲέ η:ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ υ:ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ ο:όὀὁὂὃὄὅὸό
    ω:ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ ϒ:ϓϔ Е:ЀЁӖ Г:Ѓ І:Ї К:Ќ И:ЍЙӢӤ У:ЎӮӰӲ и:йѝӣӥ е:ѐёӗ г:ѓ і:ї к:ќ
    у:ўӯӱӳ Ѵ:Ѷ ѵ:ѷ Ж:ӁӜ ж:ӂӝ А:ӐӒ а:ӑӓ Ә:Ӛ ә:ӛ З:Ӟ з:ӟ О:Ӧ о:ӧ Ө:Ӫ ө:ӫ Э:Ӭ э:ӭ Ч:Ӵ ч:ӵ Ы:Ӹ ы:ӹ
    ا:آأإ و:ؤ ي:ئ ە:ۀ ہ:ۂ ے:ۓ न:ऩ र:ऱ ळ:ऴ क:क़ ख:ख़ ग:ग़ ज:ज़ ड:ड़ ढ:ढ़ फ:फ़ य:य़ ড:ড় ঢ:ঢ় য:য় ਲ:ਲ਼ ਸ:ਸ਼ ਖ:ਖ਼
    ਗ:ਗ਼ ਜ:ਜ਼ ਫ:ਫ਼ େ:ୈ ଡ:ଡ଼ ଢ:ଢ଼ ೕ:ೀೇ ೖ:ೈ ೂ:ೊ ೂೕ:ೋ ෙ:ේ ො:ෝ ག:གྷ ཌ:ཌྷ ད:དྷ བ:བྷ ཛ:ཛྷ ཀ:ཀྵ ဥ:ဦ ᬵ:ᬻᬽᭃ B:ḂḄḆ
    b:ḃḅḇ F:Ḟ f:ḟ M:ḾṀṂ m:ḿṁṃ P:ṔṖ p:ṕṗ V:ṼṾ v:ṽṿ X:ẊẌ x:ẋẍ ſ:ẛ ᾿:῍῎῏ ῾:῝῞῟ ρ:ῤῥ Ρ:Ῥ ←:↚ →:↛ ↔:↮
    ⇐:⇍ ⇔:⇎ ⇒:⇏ ∃:∄ ∈:∉ ∋:∌ ∣:∤ ∥:∦ ∼:≁ ≃:≄ ≅:≇ ≈:≉ =:≠ ≡:≢ ≍:≭ <:≮ >:≯ ≤:≰ ≥:≱ ≲:≴ ≳:≵ ≶:≸ ≷:≹
    ≺:⊀ ≻:⊁ ⊂:⊄ ⊃:⊅ ⊆:⊈ ⊇:⊉ ⊢:⊬ ⊨:⊭ ⊩:⊮ ⊫:⊯ ≼:⋠ ≽:⋡ ⊑:⋢ ⊒:⋣ ⊲:⋪ ⊳:⋫ ⊴:⋬ ⊵:⋭ ⫝:⫝̸ か:が き:ぎ く:ぐ け:げ
    こ:ご さ:ざ し:じ す:ず せ:ぜ そ:ぞ た:だ ち:ぢ つ:づ て:で と:ど は:ばぱ ひ:びぴ ふ:ぶぷ へ:べぺ ほ:ぼぽ う:ゔ ゝ:ゞ カ:ガ キ:ギ ク:グ ケ:ゲ
    コ:ゴ サ:ザ シ:ジ ス:ズ セ:ゼ ソ:ゾ タ:ダ チ:ヂ ツ:ヅ テ:デ ト:ド ハ:バパ ヒ:ビピ フ:ブプ ヘ:ベペ ホ:ボポ ウ:ヴ ワ:ヷ ヰ:ヸ ヱ:ヹ ヲ:ヺ ヽ:ヾ
    י:יִיּ ײ:ײַ ש:שׁשׂשּׁשּׂשּ א:אַאָאּ ב:בּבֿ ג:גּ ד:דּ ה:הּ ו:וּוֹ ז:זּ ט:טּ ך:ךּ כ:כּכֿ ל:לּ מ:מּ נ:נּ ס:סּ ף:ףּ פ:פּפֿ צ:צּ
    ק:קּ ר:רּ ת:תּ 𑂙:𑂚 𑂛:𑂜 𑂥:𑂫 𑒹:𑒻
    """
}
