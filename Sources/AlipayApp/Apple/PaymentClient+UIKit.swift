#if canImport(UIKit) && canImport(WebKit) && !os(watchOS)
    public import Foundation
    import UIKit

    extension PaymentClient {
        /// Asks whenever the app comes to the front. Keep the result, and hand it to `NotificationCenter` to stop.
        public func followForeground() -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(
                forName: UIApplication.didBecomeActiveNotification, object: nil, queue: .main
            ) { [weak self] _ in
                MainActor.assumeIsolated { self?.appBecameActive() }
            }
        }
    }

    extension CashierRequest {
        var urlRequest: URLRequest {
            var request = URLRequest(url: address)
            request.httpMethod = "POST"
            request.setValue(Self.contentType, forHTTPHeaderField: "Content-Type")
            request.httpBody = body
            return request
        }
    }
#endif
