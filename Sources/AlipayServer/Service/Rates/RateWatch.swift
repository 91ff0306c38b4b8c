import BillfoldMoney
import BillfoldStorage
import Logging
import Metrics
import ServiceLifecycle
import Synchronization

/// Keeps the rates those of the day while the gateway runs: a change of their file is published without a restart, and a rate that nobody
/// renewed is warned of, in the log and as a figure for `/metrics`.
///
/// A file that cannot be read, or is none of rates, changes nothing, and is said once.
package final class RateWatch: Service {
    private struct State {
        var published: [UInt8]?
        var problem: String?
        var stale: Set<Currency> = []
    }

    private let context: AlipayServerContext
    private let rates: Rates
    private let file: @Sendable () throws -> [UInt8]
    private let state = Mutex(State())
    /// Rates are renewed once a day between nine and eleven (alipay.md#rate-file) [D]: older ones were forgotten.
    private static let renewal: Duration = .seconds(36 * 3_600)
    private static let period: Duration = .seconds(15)

    init(context: AlipayServerContext, rates: Rates, file: @escaping @Sendable () throws -> [UInt8]) {
        self.context = context
        self.rates = rates
        self.file = file
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.look()
                try? await Task.sleep(for: Self.period)
            }
        }
    }

    /// Publishes the file where it changed, and looks how old the rates are.
    func look() async {
        do {
            let bytes = try file()
            if state.withLock({ $0.published != bytes }) {
                try await rates.publish(RateFile(String(decoding: bytes, as: UTF8.self)))
                state.withLock { $0.published = bytes }
                context.logger.notice("the rates were published")
            }
            state.withLock { $0.problem = nil }
        } catch {
            let problem = "\(error)"
            Counter(label: "alipay_rate_file_failures_total", dimensions: [], factory: context.metrics.factory).increment()
            if state.withLock({ $0.problem != problem }) {
                state.withLock { $0.problem = problem }
                context.logger.critical("the rates' file is not taken over", metadata: ["error": "\(problem)"])
            }
        }
        await age()
    }

    private func age() async {
        let now = context.clock.now()
        guard let newest = try? await rates.newest(at: now) else { return }
        for quote in newest {
            let seconds = (now.microseconds - quote.publishedAt.microseconds) / 1_000_000
            Meter(
                label: "alipay_rate_age_seconds", dimensions: [("currency", quote.currency.alphabeticCode)],
                factory: context.metrics.factory
            ).set(seconds)
            let isStale = seconds > Self.renewal.components.seconds
            let isNew = state.withLock { state in
                guard isStale else {
                    state.stale.remove(quote.currency)
                    return false
                }
                return state.stale.insert(quote.currency).inserted
            }
            guard isNew else { continue }
            context.logger.critical(
                "a rate was not renewed: it is \(seconds / 3_600) hours old", metadata: ["currency": "\(quote.currency)"])
        }
    }
}
