import Foundation
import Logging
import Metrics
import ServiceLifecycle

/// Takes a renewed certificate over while a listener serves, and tells when the one in use ends.
///
/// What cannot be used is not taken over; each new reason is told of in the log, and that it is over. How long the one in use lasts is the
/// gauge `tls_certificate_days_left{listener}`; near its end the log says so once a day.
struct CertificateWatch: Service {
    /// What was said of files that are not taken over.
    private struct Refusal {
        var reason: String
        var isCritical: Bool
    }

    /// What was said of the end of the one in use.
    private struct End: Equatable {
        var notAfter: Date
        var daysLeft: Int
    }

    /// With fewer days left than these the log speaks.
    private static let nearDays = 15

    let certificate: ServerCertificate
    let listener: String
    let metrics: PrometheusMetrics
    let logger: Logger

    func run() async throws { await cancelWhenGracefulShutdown { await look() } }

    private func look() async {
        var refusal: Refusal?
        var end: End?
        repeat {
            takeOver(&refusal)
            tellOfEnd(&end)
        } while (try? await Task.sleep(for: certificate.identity.lookEvery)) != nil
    }

    private func takeOver(_ told: inout Refusal?) {
        do throws(ServerError) {
            let isExchanged = try certificate.reload()
            if told != nil { logger.notice("the certificate's files are in order again", metadata: ["listener": "\(listener)"]) }
            if isExchanged { logger.notice("the certificate was exchanged", metadata: ["listener": "\(listener)"]) }
            told = nil
        } catch {
            let reason = "\(error)"
            let isKnown = told?.reason == reason
            if isKnown, told?.isCritical == true { return }
            // Two files are not written at once: what does not fit together may only be half of what comes. A key that lies open does.
            if isKnown || error.code != .certificateUnusable {
                logger.critical("the certificate is not taken over: \(reason)", metadata: ["listener": "\(listener)"])
                told = Refusal(reason: reason, isCritical: true)
            } else {
                logger.warning("the certificate is not taken over yet: \(reason)", metadata: ["listener": "\(listener)"])
                told = Refusal(reason: reason, isCritical: false)
            }
        }
    }

    private func tellOfEnd(_ told: inout End?) {
        let end = End(notAfter: certificate.notAfter, daysLeft: certificate.daysLeft)
        Meter(label: "tls_certificate_days_left", dimensions: [("listener", listener)], factory: metrics).set(end.daysLeft)
        guard told != end else { return }
        told = end
        let (path, instant) = (certificate.identity.certificateChainPath, end.notAfter.ISO8601Format())
        if end.daysLeft < 0 {
            logger.critical(
                "\(ServerError.Code.certificateEnded): \(path) ended at \(instant), and callers refuse it",
                metadata: ["listener": "\(listener)"])
        } else if end.daysLeft < Self.nearDays {
            logger.warning(
                "the certificate is near its end: \(end.daysLeft) days left, \(path) ends at \(instant)",
                metadata: ["listener": "\(listener)"])
        }
    }
}
