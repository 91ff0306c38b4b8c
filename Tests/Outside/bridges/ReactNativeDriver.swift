import Foundation
import PassKitSimulator
import React

/// Calls the module as React does: on a queue of its own, with two blocks.
@main
@MainActor
struct ReactNativeDriver {
    typealias Call = @Sendable (String, @escaping RCTPromiseResolveBlock, @escaping RCTPromiseRejectBlock) -> Void

    struct Answer: Sendable {
        var text: String
        var isRefused: Bool
    }

    /// The value or the refusal, as text.
    static func ask(_ call: @escaping Call, _ card: String = "card-1") async -> Answer {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                call(
                    card,
                    { value in
                        let json = try? JSONSerialization.data(
                            withJSONObject: value ?? NSNull(), options: [.fragmentsAllowed, .sortedKeys])
                        continuation.resume(returning: Answer(text: String(decoding: json ?? Data(), as: UTF8.self), isRefused: false))
                    },
                    { code, _, _ in continuation.resume(returning: Answer(text: code ?? "", isRefused: true)) })
            }
        }
    }

    static func main() async {
        let stage = BridgeStage()
        // Unsafe: the module may be called on any queue.
        nonisolated(unsafe) let module = BillfoldWallet()
        let show: Call = { module.showButton($0, resolver: $1, rejecter: $2) }
        let contains: Call = { module.containsCard($0, resolver: $1, rejecter: $2) }
        let state: Call = { module.activationState($0, resolver: $1, rejecter: $2) }
        let add: Call = { module.addCard($0, resolver: $1, rejecter: $2) }

        let early = await ask(show)
        stage.expect("nobody is logged in", early.isRefused && early.text == "not-logged-in", early)
        WalletCalls.bridge = stage.bridge(isOn: false)
        let off = await ask(show)
        stage.expect("0: switched off", off.text == #"{"devices":[],"state":0}"#, off)
        WalletCalls.bridge = stage.bridge()
        let first = await ask(show)
        stage.expect("2: the card can be added", first.text == #"{"devices":["thisDevice"],"state":2}"#, first)
        let absent = await ask(contains)
        stage.expect("the card is not in", absent.text == "false", absent)
        let unknown = await ask(contains, "card-9")
        stage.expect("a refusal has its code", unknown.isRefused && unknown.text == "unknown-card", unknown)

        async let cancelling = ask(add)
        await stage.play(AddPassScript(acceptsTerms: false))
        let cancelled = await cancelling
        stage.expect("cancelled is an outcome", cancelled.text.contains(#""outcome":"cancelled""#), cancelled)
        async let adding = ask(add)
        await stage.play()
        let added = await adding
        stage.expect("added", added.text.contains(#""outcome":"added""#), added)
        let present = await ask(contains)
        stage.expect("the card is in", present.text == "true", present)
        let active = await ask(state)
        stage.expect("and active", active.text == #"{"thisDevice":0}"#, active)
        let last = await ask(show)
        stage.expect("1: added everywhere", last.text == #"{"devices":[],"state":1}"#, last)

        let manager = BillfoldAddPassButtonManager()
        let view = manager.view() as? BillfoldAddPassButton
        var taps = 0
        view?.onAdd = { _ in taps += 1 }
        view?.button.sendTap()
        stage.expect("a tap reaches JavaScript", taps == 1, taps)
        stage.expect("each component has its own", view != nil && manager.view() !== view)
        stage.end()
    }
}
