import Foundation
import React

/// `NativeModules.BillfoldWallet`: the four functions as promises. React calls on a queue of its own.
@objc(BillfoldWallet)
final class BillfoldWallet: NSObject {
    @objc static func requiresMainQueueSetup() -> Bool { false }

    @objc(showButton:resolver:rejecter:)
    func showButton(_ card: String, resolver resolve: @escaping RCTPromiseResolveBlock, rejecter reject: @escaping RCTPromiseRejectBlock) {
        answer(.showButton, card, resolve, reject)
    }

    @objc(containsCard:resolver:rejecter:)
    func containsCard(_ card: String, resolver resolve: @escaping RCTPromiseResolveBlock, rejecter reject: @escaping RCTPromiseRejectBlock)
    {
        answer(.containsCard, card, resolve, reject)
    }

    @objc(activationState:resolver:rejecter:)
    func activationState(
        _ card: String, resolver resolve: @escaping RCTPromiseResolveBlock, rejecter reject: @escaping RCTPromiseRejectBlock
    ) {
        answer(.activationState, card, resolve, reject)
    }

    @objc(addCard:resolver:rejecter:)
    func addCard(_ card: String, resolver resolve: @escaping RCTPromiseResolveBlock, rejecter reject: @escaping RCTPromiseRejectBlock) {
        answer(.addCard, card, resolve, reject)
    }

    private func answer(
        _ function: WalletCalls.Function, _ card: String, _ resolve: @escaping RCTPromiseResolveBlock,
        _ reject: @escaping RCTPromiseRejectBlock
    ) {
        let (resolve, reject) = (Carried(value: resolve), Carried(value: reject))
        Task { @MainActor in
            switch await WalletCalls.call(function, card: card) {
            case .success(let value): resolve.value(value)
            case .failure(let refusal): reject.value(refusal.code, refusal.message, nil)
            }
        }
    }
}
