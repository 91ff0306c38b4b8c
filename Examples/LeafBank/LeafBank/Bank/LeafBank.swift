import ApplePayApp
import Foundation
import PassKit

/// What the app knows, apart from its screens: who is logged in, the cards, and what the wallet holds of them.
@MainActor
final class LeafBank {
    /// A card as the screen shows it.
    struct Row {
        var card: IssuerCard
        var eligibility: ProvisioningEligibility
        var passes: [PassHolder: HeldPass.Activation]
    }

    private static let noAnswer = "The bank does not answer. Please try again."

    private(set) var customer: String? { didSet { onChange?() } }
    private(set) var rows: [Row] = [] { didSet { onChange?() } }
    /// What the customer is told.
    private(set) var notice: String? { didSet { onChange?() } }
    /// Called after each change, for the screen that is in front.
    var onChange: (() -> Void)?
    /// Shows the wallet's screen: the screen in front sets it.
    var present: ((PKAddPaymentPassViewController) -> Void)?

    private let server: BankServer
    private let inventory: PassInventory
    private let library = PKPassLibrary()
    private let kept: AdditionFile
    private var observers: [any NSObjectProtocol] = []
    private let language = CustomerLanguage(preferred: Locale.preferredLanguages)
    private var issuer: HTTPIssuerServer?
    private var bridge: WalletBridge?
    /// A link of Wallet's that came before the customer was logged in.
    private var link: String?
    private var isAdding = false
    private var isLooking = false
    /// Whether something happened during a look.
    private var looksAgain = false

    init(_ settings: Settings) {
        server = BankServer(settings)
        inventory = PassInventory(watch: settings.watch)
        kept = AdditionFile(in: settings.folder)
        // The watch's passes show a moment later, and Wallet removes what the customer removes. This object lives as long as the app.
        let names: [PKPassLibraryNotificationName] = [.PKPassLibraryDidChange, .PKPassLibraryRemotePaymentPassesDidChange]
        observers = names.map { name in
            let notification = Notification.Name(name.rawValue)
            return NotificationCenter.default.addObserver(forName: notification, object: library, queue: nil) { [weak self] _ in
                Task { await self?.look() }
            }
        }
    }

    // MARK: The customer

    /// Logs in, shows the cards, and finishes what an earlier run of the app began.
    func logIn(_ customer: String) async {
        guard self.customer == nil else { return }
        do {
            let issuer = try await server.logIn(customer, on: "phone")
            self.issuer = issuer
            bridge = WalletBridge(issuer: issuer, inventory: inventory) { [weak self] in self?.present?($0) }
            self.customer = customer
            notice = nil
        } catch {
            notice = Self.noAnswer
        }
        await look()
        if kept.read()?.customer == customer { finish(isAppNew: true) }
        if let link { await open(link) }
    }

    func logOut() {
        issuer = nil
        bridge = nil
        customer = nil
        rows = []
        notice = nil
    }

    // MARK: The wallet

    /// Looks at the bank's cards and at the wallet: at each return to the app, after each addition, and when the wallet changes.
    func look() async {
        guard !isAdding else { return }
        looksAgain = true
        guard !isLooking else { return }
        isLooking = true
        defer { isLooking = false }
        while looksAgain {
            looksAgain = false
            await read()
        }
    }

    private func read() async {
        guard let issuer, let bridge else { return }
        do throws(ApplePayAppError) {
            var found: [Row] = []
            for card in try await issuer.cards() {
                let eligibility = try await bridge.eligibility(card: card.id)
                found.append(Row(card: card, eligibility: eligibility, passes: try await bridge.activationState(card: card.id)))
            }
            // Somebody may have logged out meanwhile.
            guard bridge === self.bridge else { return }
            rows = found
            finish(isAppNew: false)
        } catch {
            guard error.serverCode != "unauthorized", error.serverCode != "session-expired" else {
                logOut()
                notice = "You were logged out. Please log in again."
                return
            }
            // What was known is shown on.
            notice = Self.noAnswer
        }
    }

    /// Adds a card to this device or the watch, on the wallet's own screen.
    func add(_ row: Row) async {
        guard let bridge, let customer, !isAdding else { return }
        isAdding = true
        kept.write(
            KeptAddition(customer: customer, card: row.card.id, suffix: row.card.suffix, heldBefore: Set(row.passes.keys)))
        let outcome = await bridge.addCard(row.card.id)
        // Nobody knows of an unknown one: it stays to be looked for.
        if case .unknown = outcome {} else { kept.write(nil) }
        notice = outcome.customerText(in: language)
        isAdding = false
        await look()
    }

    /// Tells what became of an addition whose end nobody saw, as soon as the wallet shows the card. A new run of the app
    /// waits for nothing more.
    private func finish(isAppNew: Bool) {
        guard let addition = kept.read(), addition.customer == customer,
            let row = rows.first(where: { $0.card.id == addition.card })
        else { return }
        if !Set(row.passes.keys).subtracting(addition.heldBefore).isEmpty || (addition.heldBefore.isEmpty && walletShows(addition.suffix)) {
            kept.write(nil)
            notice = "Your card ending in \(addition.suffix) was added."
        } else if isAppNew {
            kept.write(nil)
            notice = "Your card ending in \(addition.suffix) is not in Wallet. You can add it again."
        }
    }

    /// Whether the wallet shows a card of ours with these digits. The bank hears of a new pass later than the wallet has it.
    private func walletShows(_ suffix: String) -> Bool {
        let passes = library.passes(of: .secureElement).compactMap(\.secureElementPass) + library.remoteSecureElementPasses
        return passes.contains { $0.primaryAccountNumberSuffix == suffix }
    }

    /// Answers a link by which Wallet asks for a proof: the customer is logged in, and that is one.
    func open(_ link: String) async {
        guard let bridge else {
            self.link = link
            notice = "Please log in, to finish the set-up of your card."
            return
        }
        self.link = nil
        do throws(ApplePayAppError) {
            try await bridge.verify(link: link)
            notice = "Thank you. Your card will be ready in a moment."
        } catch {
            notice = error.code == .serverUnanswered ? Self.noAnswer : "Please call us about this card."
        }
        await look()
    }
}
