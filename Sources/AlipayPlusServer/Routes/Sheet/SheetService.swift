import AlipayPlus
import AlipayPlusValues
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace

/// What happens on the sheet, whoever drew it.
struct SheetService: Sendable {
    let context: AlipayPlusServerContext
    let cashier: CashierService

    static let payer: Party = "payer"

    /// The payment of a sheet. The scenarios of the others show nothing: `not-found`.
    func payment(_ reference: String) async throws -> AcquirerPayment {
        guard let payment = try await cashier.payment(reference), payment.scenario == .cashier || payment.scenario == .entryCode else {
            throw AlipayPlusServerError(code: .notFound, reason: "no payment has that address")
        }
        OwnTime.enter(payment.acquirer.description)
        return payment
    }

    func scene(_ payment: AcquirerPayment, _ visit: SheetVisit) async throws -> SheetPages.Scene {
        let now = context.clock.now()
        let isTest = context.configuration.mode == .test
        let hosts = try await isTest ? context.parties.acquirer(payment.acquirer)?.privateOrigins ?? [] : []
        var scene = SheetPages.Scene(payment: payment, view: SheetView(payment, visit, at: now), choices: [], hosts: hosts, now: now)
        switch scene.view {
        case .open: scene.choices = try await offered(payment, installedFirst: visit.installed)
        case .waiting:
            let asked = SheetView.asked(payment)
            let wanted = visit.chosen ?? asked
            scene.choices = try await cashier.choices(for: payment).filter { $0.wallet.type == wanted && ($0.isOffered || asked == wanted) }
            // The address names a wallet that cannot pay this.
            if scene.choices.isEmpty {
                scene.view = .open
                scene.choices = try await offered(payment, installedFirst: visit.installed)
            }
        case .paid:
            let paidBy = payment.settledLeg?.wallet
            scene.choices = try await cashier.choices(for: payment).filter { $0.wallet.type == paidBy }
        case .failed, .cancelled, .expired, .closing: break
        }
        return scene
    }

    /// The wallets that can pay: the phone's own first, then the nearest to the payer's region.
    private func offered(_ payment: AcquirerPayment, installedFirst installed: [String]) async throws -> [CashierService.Choice] {
        let all = try await cashier.choices(for: payment).filter(\.isOffered)
        return all.filter { installed.contains($0.wallet.type) } + all.filter { !installed.contains($0.wallet.type) }
    }

    /// Somebody chose a wallet. It moves nothing: the wallet itself says when its customer has the payment before them. Refuses with
    /// `wallet-not-offered`, and with `payment-closed` what cannot be paid any more.
    func choose(_ wallet: String, for payment: AcquirerPayment, _ visit: SheetVisit) async throws -> CashierService.Choice {
        var anew = visit
        anew.choosesAnew = true
        guard SheetView(payment, anew, at: context.clock.now()) == .open else {
            throw AlipayPlusServerError(code: .paymentClosed, reason: "the payment cannot be paid any more, or is paid")
        }
        guard let choice = try await offered(payment, installedFirst: []).first(where: { $0.wallet.type == wallet }) else {
            throw AlipayPlusServerError(code: .walletNotOffered, reason: "the payment cannot be paid by that wallet")
        }
        context.metrics.moved("sheet-choice")
        context.trace.record(
            "wallet chosen on the sheet", .request, from: Self.payer, to: AcquiringGatewayTrace.gateway,
            fields: [("wallet", choice.wallet.type), ("language", visit.language.rawValue)], about: AcquiringGatewayTrace.about(payment))
        return choice
    }
}
