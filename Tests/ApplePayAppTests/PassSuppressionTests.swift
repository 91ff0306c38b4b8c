import Foundation
import Synchronization
import Testing

@testable import PassKitSimulator

/// An app with a reader of its own keeps Wallet away; and passes from files, which are none here.
@MainActor @Suite struct PassSuppressionTests {
    /// What an app heard, with its token.
    private final class Wish {
        var result: PKAutomaticPassPresentationSuppressionResult?
        private(set) var token = 0

        @MainActor
        init(on device: SimulatedDevice) {
            SimulatedDevice.$current.withValue(device) {
                token = PKPassLibrary.requestAutomaticPassPresentationSuppression { self.result = $0 }
            }
        }

        @MainActor
        func answered() async -> PKAutomaticPassPresentationSuppressionResult? {
            for _ in 0..<10_000 where result == nil { await Task.yield() }
            return result
        }

        @MainActor
        func end(on device: SimulatedDevice) {
            SimulatedDevice.$current.withValue(device) {
                PKPassLibrary.endAutomaticPassPresentationSuppression(withRequestToken: token)
            }
        }
    }

    private func isSuppressing(_ device: SimulatedDevice) -> Bool {
        SimulatedDevice.$current.withValue(device) { PKPassLibrary.isSuppressingAutomaticPassPresentation() }
    }

    private func doorApp(_ change: (inout SimulatedDevice.Configuration) -> Void = { _ in }) -> SimulatedDevice {
        let device = Fixture.phone(passes: [Fixture.pass()])
        device.update { configuration in
            configuration.app.mayKeepWalletAway = true
            change(&configuration)
        }
        return device
    }

    @Test func walletStaysAwayWhileTheAppIsInFront() async {
        let device = doorApp()
        #expect(device.meetReader() == "s-1")
        let wish = Wish(on: device)
        #expect(wish.token != 0 && wish.result == nil && !isSuppressing(device), "it is answered later")
        #expect(await wish.answered() == .success)
        #expect(isSuppressing(device) && device.meetReader() == nil)
        device.screen.goToBackground()
        #expect(device.meetReader() == "s-1", "in the background the app keeps nobody away")
        device.screen.comeToFront()
        #expect(device.meetReader() == nil)
        wish.end(on: device)
        #expect(!isSuppressing(device) && device.meetReader() == "s-1")
        #expect(device.shownPasses == ["s-1", "s-1", "s-1"])
    }

    @Test func eachWishEndsByItsOwnToken() async {
        let device = doorApp()
        let (first, second) = (Wish(on: device), Wish(on: device))
        #expect(first.token != second.token)
        _ = await (first.answered(), second.answered())
        first.end(on: device)
        #expect(isSuppressing(device))
        second.end(on: device)
        #expect(!isSuppressing(device))
    }

    @Test func refusalsSayWhy() async {
        let stranger = doorApp { $0.app.mayKeepWalletAway = false }
        let denied = Wish(on: stranger)
        #expect(await denied.answered() == .denied)
        #expect(denied.token != 0 && !isSuppressing(stranger) && stranger.meetReader() == "s-1")
        let unable = Wish(on: doorApp { $0.hasSecureElement = false })
        #expect(unable.token == 0)
        #expect(await unable.answered() == .notSupported)
        let device = doorApp()
        let ended = Wish(on: device)
        ended.end(on: device)
        #expect(await ended.answered() == .cancelled)
        #expect(!isSuppressing(device))
    }

    @Test func readerMeetsNoPassThatCannotPay() {
        var waiting = Fixture.pass()
        waiting.activationState = .requiresActivation
        #expect(Fixture.phone(passes: [waiting]).meetReader() == nil)
        #expect(Fixture.phone().meetReader() == nil)
    }

    @Test func passesFromFilesAreNone() async throws {
        let error = #expect(throws: (any Error).self) { try PKPass(data: Data("PK".utf8)) }
        #expect(try PKPassKitError.unsupportedVersionError ~= #require(error))
        let device = Fixture.phone(passes: [Fixture.pass()])
        let library = SimulatedDevice.$current.withValue(device) { PKPassLibrary() }
        let pass = try #require(library.passes().first?.secureElementPass)
        #expect(PKAddPassesViewController(pass: pass) == nil && PKAddPassesViewController(passes: [pass]) == nil)
        #expect(await library.addPasses([pass]) == .didCancelAddPasses)
        let heard = await withCheckedContinuation { continuation in
            library.addPasses([pass]) { continuation.resume(returning: $0) }
        }
        #expect(heard == .didCancelAddPasses && device.passes.count == 1)
        #expect(pass.devicePassIdentifier == nil && pass.pairedTerminalIdentifier == nil)
        #expect(pass.relevantDate == nil && pass.userInfo == nil && pass.localizedValue(forFieldKey: "balance") == nil)
    }
}
