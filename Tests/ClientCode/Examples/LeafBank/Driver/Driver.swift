import ApplePayApp
import Foundation
import PassKitSimulator

/// One visit of a customer, by the name of what happens in it.
@main
struct Driver {
    @MainActor
    static func main() async {
        let visits: [String: @MainActor () async -> Void] = [
            "added": added, "watch": watch, "cancelled": cancelled, "refused": refused, "switched-off": switchedOff, "proof": proof,
            "answer-lost": answerLost, "unknown": unknown, "callback-lost": callbackLost, "killed-after": killedAfter,
            "killed-before": killedBefore, "again": again,
        ]
        guard let visit = visits[CommandLine.arguments.last ?? ""] else { Stage.stop("no such visit") }
        await visit()
    }

    @MainActor
    private static func added() async {
        let stage = Stage()
        await stage.open()
        let buttons = stage.addButtons.count
        let sheet = await stage.add(until: .added)
        sheet.perform(.done)
        await stage.reads("Your card ending in")
        await stage.reads("In Wallet, ready to pay")
        stage.expect("the card has no button any more", stage.addButtons.count == buttons - 1)
        stage.expect("nothing is kept", stage.kept == nil)
        stage.expect("the app did nothing wrong", stage.phone.faults.isEmpty)
    }

    /// First on the phone, then on the watch, by the button that stays for it.
    @MainActor
    private static func watch() async {
        let stage = Stage(hasWatch: true)
        await stage.open()
        let buttons = stage.addButtons.count
        var sheet = await stage.add(until: .added)
        sheet.perform(.done)
        await stage.reads("In Wallet, ready to pay. It can be added")
        stage.expect("the button stays for the watch", stage.addButtons.count == buttons)
        sheet = await stage.add(to: .watch, until: .added)
        sheet.perform(.done)
        await stage.until("the button is gone") { stage.addButtons.count == buttons - 1 }
        stage.expect("the watch has the card", stage.watch.passes.count == 1)
        await stage.reads("In Wallet, ready to pay")
    }

    @MainActor
    private static func cancelled() async {
        let stage = Stage()
        await stage.open()
        let buttons = stage.addButtons.count
        let sheet = await stage.add(until: .terms)
        sheet.perform(.cancel)
        await stage.reads("The card was not added.")
        stage.expect("the card can be added again", stage.addButtons.count == buttons)
        stage.expect("nothing is kept", stage.kept == nil)
    }

    /// An account of a few days: the bank says no while the card is being added.
    @MainActor
    private static func refused() async {
        let stage = Stage(account: "fresh@example.com")
        await stage.open()
        let sheet = await stage.add(until: .failed)
        sheet.perform(.done)
        await stage.reads("The wallet did not take the card.")
        stage.expect("nothing is kept", stage.kept == nil)
    }

    /// A closed card and a blocked one have no button.
    @MainActor
    private static func switchedOff() async {
        let stage = Stage()
        await stage.open(as: "Ana Specimen")
        stage.expect("there is no button", stage.addButtons.isEmpty)
        for row in stage.scene.bank?.rows ?? [] {
            if case .disabledByIssuer(_, let reason) = row.eligibility { await stage.reads(reason) }
        }
    }

    /// An account abroad: the pass waits, until Wallet sends the customer back to the app for a proof.
    @MainActor
    private static func proof() async {
        let stage = Stage(account: "moved@example.com")
        await stage.open()
        let sheet = await stage.add(until: .choosingMethod)
        sheet.perform(.later)
        await sheet.settle()
        sheet.perform(.done)
        await stage.reads("Your card ending in")
        await stage.reads("In Wallet, not usable yet")
        guard let pass = stage.phone.passes.first, let launch = pass.appLaunchURL,
            let link = URL(string: "\(launch)?passTypeIdentifier=paymentpass.com.apple&serialNumber=\(pass.serialNumber)&action=verify")
        else { Stage.stop("the pass names no app") }
        stage.phone.screen.goToBackground()
        stage.expect("the app takes the link", stage.phone.screen.openInApp(link))
        await stage.reads("Thank you.")
        for _ in 0..<50 where stage.phone.passes.first?.activationState != .activated {
            try? await stage.phone.refreshPasses()
            try? await Task.sleep(for: .milliseconds(100))
        }
        await stage.comeBack()
        await stage.reads("In Wallet, ready to pay")
    }

    /// The issuer's first answer is lost: the same question again gets the same answer, within the wallet's limit.
    @MainActor
    private static func answerLost() async {
        let stage = Stage()
        await stage.open()
        let sheet = await stage.add(until: .introduction)
        await stage.line(.issuer, loses: "answers")
        sheet.perform(.next)
        await stage.line(.issuer, loses: "one-answer")
        await stage.line(.issuer, loses: "nothing")
        await stage.until("the wallet has the sealed card") { sheet.state.phase == .terms }
        sheet.perform(.acceptTerms)
        await stage.until("the card is added") { sheet.state.phase == .added }
        sheet.perform(.done)
        await stage.reads("In Wallet, ready to pay")
    }

    /// The broker has the card and the phone has no word of it. The customer comes back when the wallet has.
    @MainActor
    private static func unknown() async {
        let stage = Stage()
        await stage.open()
        let sheet = await stage.add(until: .terms)
        await stage.line(.broker, loses: "answers")
        sheet.perform(.acceptTerms)
        await stage.until("the wallet gives up") { sheet.state.phase == .failed }
        sheet.perform(.done)
        await stage.reads("It is not certain yet")
        stage.expect("the app remembers the card", stage.kept != nil)
        await stage.line(.broker, loses: "nothing")
        await stage.comeBack()
        await stage.reads("Your card ending in")
        stage.expect("nothing is kept any more", stage.kept == nil)
    }

    /// Something else takes the wallet's screen away after the customer has agreed: nobody calls the app back.
    @MainActor
    private static func callbackLost() async {
        let stage = Stage()
        await stage.open()
        let sheet = await stage.add(until: .terms)
        await stage.line(.broker, loses: "answers")
        sheet.perform(.acceptTerms)
        await stage.line(.broker, loses: "one-answer")
        stage.phone.screen.topController?.dismiss(animated: false)
        await stage.reads("It is not certain yet")
        await stage.line(.broker, loses: "nothing")
        await stage.comeBack()
        await stage.reads("Your card ending in")
    }

    @MainActor
    private static func killedAfter() async {
        let stage = Stage()
        await stage.open()
        let sheet = await stage.add(until: .terms)
        await stage.line(.broker, loses: "answers")
        sheet.perform(.acceptTerms)
        await stage.line(.broker, loses: "one-answer")
        stage.dieAtOnce()
    }

    @MainActor
    private static func killedBefore() async {
        let stage = Stage()
        await stage.open()
        _ = await stage.add(until: .terms)
        stage.dieAtOnce()
    }

    /// The app starts on what an earlier run left behind, on a phone whose wallet has heard from the broker.
    @MainActor
    private static func again() async {
        let stage = Stage()
        await stage.line(.broker, loses: "nothing")
        do { try await stage.phone.refreshPasses() } catch { Stage.stop("the wallet does not hear") }
        stage.expect("the app kept the card", stage.kept != nil)
        await stage.open()
        await stage.reads("Your card ending in")
        stage.expect("nothing is kept any more", stage.kept == nil)
    }
}
