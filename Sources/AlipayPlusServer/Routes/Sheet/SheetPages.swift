import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldServer
import BillfoldStorage
import BillfoldWeb

/// Draws the payment sheet. Nothing on it needs a script.
struct SheetPages: Sendable {
    let context: AlipayPlusServerContext
    let cashier: CashierService

    /// What stands beside the wallets of partners (alipay-plus.md#sheet [D]); the same in every language.
    private static let partner = "Alipay+ Partner"

    /// Everything that one drawing needs.
    struct Scene: Sendable {
        var payment: AcquirerPayment
        var view: SheetView
        /// Offered wallets; where none can be chosen any more, the one that the page speaks of.
        var choices: [CashierService.Choice]
        /// Origins that may frame the page: an acquirer's own, in test mode.
        var hosts: [String]
        var now: Timestamp
    }

    /// What `sheet-frame.mustache` names, around the values of a page.
    private struct Framed<Page: Sendable>: Sendable {
        struct Item {
            var name: String
            var value: String
        }

        struct Language {
            var code: String
            var tag: String
            var name: String
            var isCurrent: Bool
        }

        var t: [String: String]
        var lang: String
        var isTest: Bool
        var isInApp: Bool
        var chosenLanguage: String
        var heading: String
        var view = "missing"
        var hosts = ""
        var left: Int64 = 0
        var clock: String?
        var isWatched = false
        var place: String?
        var here: String?
        var amount: String?
        var back: String?
        var backLabel: String?
        /// What a change of the language leaves as it is.
        var kept: [Item] = []
        var languages: [Language] = []
        var page: Page
    }

    private struct Wallet {
        var type: String
        var brand: String
        var partner = SheetPages.partner
        var logo: String
        var isInstalled: Bool
        var isChosen = false
        var opening: String
        var normal: String?
        var applink: String?
        var scheme: String?
        var about: String?
        var offer: String?
    }

    private struct OpenPage {
        struct Code {
            var path: String
            var box: String
        }

        struct Mark {
            var brand: String
            var logo: String
        }

        var wallets: [Wallet]
        var query: String
        var installed: String?
        var code: Code?
        var scanning: [Mark] = []
    }

    private struct WaitingPage {
        var text: String
        var wallet: Wallet?
        var openLabel: String
        var again: String
    }

    private struct EndPage {
        var text: String
        var isGood = false
        var isOpenEnded = false
        var isBad = false
    }

    func html(_ scene: Scene, _ visit: SheetVisit) throws -> String {
        let texts = SheetTexts(visit.language)
        switch scene.view {
        case .open where !scene.choices.isEmpty:
            let heading = texts(.payTo, ["merchant": scene.payment.terms.merchantName])
            let page = try open(scene, for: visit, texts: texts)
            return try PageSet.acquiring.render("sheet/open", framed(page, heading: heading, scene, for: visit, texts: texts))
        case .waiting:
            let heading = texts(.waitingTitle, ["wallet": scene.choices.first?.wallet.brand ?? ""])
            let page = try waiting(scene, for: visit, texts: texts)
            return try PageSet.acquiring.render("sheet/waiting", framed(page, heading: heading, scene, for: visit, texts: texts))
        default:
            let (heading, page) = end(scene, texts)
            return try PageSet.acquiring.render("sheet/end", framed(page, heading: heading, scene, for: visit, texts: texts))
        }
    }

    /// For an address without a payment.
    func missing(_ visit: SheetVisit) throws -> String {
        let texts = SheetTexts(visit.language)
        let page = EndPage(text: texts[.missingText], isBad: true)
        return try PageSet.acquiring.render("sheet/end", framed(page, heading: texts[.missingTitle], for: visit, texts: texts))
    }

    // MARK: Parts

    private func framed<Page: Sendable>(_ page: Page, heading: String, for visit: SheetVisit, texts: SheetTexts) -> Framed<Page> {
        Framed(
            t: texts.model, lang: visit.language.htmlTag, isTest: context.configuration.mode == .test, isInApp: visit.isInApp,
            chosenLanguage: visit.language.rawValue, heading: heading, page: page)
    }

    private func framed<Page: Sendable>(
        _ page: Page, heading: String, _ scene: Scene, for visit: SheetVisit, texts: SheetTexts
    ) -> Framed<Page> {
        var model = framed(page, heading: heading, for: visit, texts: texts)
        let terms = scene.payment.terms
        model.view = scene.view.rawValue
        model.isWatched = scene.view.isWatched
        model.place = place(scene)
        model.here = link(scene, visit.query(wallet: visit.chosen, choosesAnew: visit.choosesAnew))
        model.amount = terms.amount.description
        model.hosts = scene.hosts.joined(separator: " ")
        model.left = Self.left(scene.payment, at: scene.now)
        model.clock = Self.clock(model.left)
        guard !visit.isInApp else { return model }
        if let back = SheetLink.any(terms.redirectURL) {
            model.back = back
            model.backLabel = texts(.backTo, ["merchant": terms.merchantName])
        }
        let kept = [("installed", visit.installed.joined(separator: ",")), ("wallet", visit.chosen ?? "")].filter { !$0.1.isEmpty }
        model.kept = kept.map { .init(name: $0.0, value: $0.1) }
        model.languages = AlipayPlusLanguage.allCases.map {
            .init(code: $0.rawValue, tag: $0.htmlTag, name: SheetTexts.name($0), isCurrent: $0 == visit.language)
        }
        return model
    }

    private func place(_ scene: Scene) -> String { "/sheet/\(scene.payment.reference)" }

    private func link(_ scene: Scene, _ query: String) -> String { query.isEmpty ? place(scene) : "\(place(scene))?\(query)" }

    private func open(_ scene: Scene, for visit: SheetVisit, texts: SheetTexts) throws -> OpenPage {
        let wallets = try scene.choices.map { choice in
            var wallet = try wallet(choice, of: scene.payment, for: visit, texts: texts)
            wallet.isChosen = scene.choices.count == 1 || choice.wallet.type == visit.chosen
            return wallet
        }
        var page = OpenPage(
            wallets: wallets, query: visit.query(), installed: visit.installed.isEmpty ? nil : visit.installed.joined(separator: ","))
        let scanning = scene.choices.filter { $0.wallet.scenarios.contains(.orderCode) }
        guard !visit.isInApp, !scanning.isEmpty else { return page }
        let code = try QRCode(cashier.orderCode(of: scene.payment))
        page.code = .init(path: code.path, box: code.viewBox)
        page.scanning = scanning.map { .init(brand: $0.wallet.brand, logo: WalletMark.logoPath($0.wallet.type)) }
        return page
    }

    private func wallet(
        _ choice: CashierService.Choice, of payment: AcquirerPayment, for visit: SheetVisit, texts: SheetTexts
    ) throws -> Wallet {
        let (wallet, links) = (choice.wallet, try cashier.links(for: payment)(choice.wallet))
        var model = Wallet(
            type: wallet.type, brand: wallet.brand, logo: WalletMark.logoPath(wallet.type),
            isInstalled: visit.installed.contains(wallet.type), opening: texts(.opening, ["wallet": wallet.brand]),
            normal: SheetLink.page(links.normal), applink: SheetLink.page(links.applink), scheme: SheetLink.any(links.scheme))
        if let payable = choice.payable, payable.currency != payment.terms.amount.currency || choice.promotion != nil {
            let due = Amount(minorUnits: payable.minorUnits - (choice.promotion?.amount ?? 0), currency: payable.currency)
            model.about = texts(.aboutAmount, ["amount": due.description])
        }
        if let id = choice.promotion?.id, let offer = wallet.promotions.first(where: { $0.id == id }) {
            model.offer = texts(.offer, ["offer": offer.name(in: visit.language.rawValue)])
        }
        return model
    }

    private func waiting(_ scene: Scene, for visit: SheetVisit, texts: SheetTexts) throws -> WaitingPage {
        let choice = scene.choices.first
        let brand = choice?.wallet.brand ?? ""
        return WaitingPage(
            text: texts(.waitingText, ["wallet": brand]),
            wallet: try choice.map { try wallet($0, of: scene.payment, for: visit, texts: texts) },
            openLabel: texts(.openWallet, ["wallet": brand]), again: link(scene, visit.query(choosesAnew: true)))
    }

    private func end(_ scene: Scene, _ texts: SheetTexts) -> (heading: String, page: EndPage) {
        let (title, text): (SheetText, SheetText) =
            switch scene.view {
            case .paid: (.paidTitle, .paidText)
            case .failed: (.failedTitle, .failedText)
            case .cancelled: (.cancelledTitle, .cancelledText)
            case .closing: (.closingTitle, .closingText)
            case .expired: (.expiredTitle, .expiredText)
            case .open, .waiting: (.noneTitle, .noneText)
            }
        let said = texts(
            text,
            [
                "merchant": scene.payment.terms.merchantName, "amount": scene.payment.terms.amount.description,
                "wallet": scene.choices.first?.wallet.brand ?? "",
            ])
        let page = EndPage(
            text: said, isGood: scene.view == .paid, isOpenEnded: scene.view == .closing,
            isBad: scene.view != .paid && scene.view != .closing)
        return (texts[title], page)
    }

    /// Milliseconds until the payment's time is over.
    static func left(_ payment: AcquirerPayment, at now: Timestamp) -> Int64 {
        max(0, (payment.expiresAt.microseconds - now.microseconds) / 1_000)
    }

    /// `13:05`; from an hour on `1:13:05`.
    static func clock(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
        let tail = two(seconds % 60)
        return seconds < 3_600 ? "\(seconds / 60):\(tail)" : "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(tail)"
    }
}
