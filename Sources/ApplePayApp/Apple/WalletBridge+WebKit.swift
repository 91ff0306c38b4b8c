#if canImport(WebKit) && canImport(PassKit)
    public import Foundation
    public import WebKit

    extension WalletBridge {
        /// Gives the bank's own pages the bridge. `origin` is theirs, such as `https://bank.example`; no other page, and no
        /// frame inside one, gets an answer. The content controller keeps the bridge alive.
        public func attach(to content: WKUserContentController, origin: URL) {
            content.addUserScript(WKUserScript(source: Self.script, injectionTime: .atDocumentStart, forMainFrameOnly: true))
            content.addScriptMessageHandler(Channel(self, origin), contentWorld: .page, name: Self.handlerName)
        }

        private final class Channel: NSObject, WKScriptMessageHandlerWithReply {
            private let bridge: WalletBridge
            private let origin: URL

            init(_ bridge: WalletBridge, _ origin: URL) {
                self.bridge = bridge
                self.origin = origin
            }

            func userContentController(
                _ userContentController: WKUserContentController, didReceive message: WKScriptMessage
            ) async -> (Any?, String?) {
                let sender = message.frameInfo.securityOrigin
                let isOurs = sender.protocol == origin.scheme && sender.host == origin.host && sender.port == (origin.port ?? 0)
                guard message.frameInfo.isMainFrame, isOurs, let text = message.body as? String else { return (nil, "refused") }
                return (await bridge.answer(text), nil)
            }
        }
    }
#endif
