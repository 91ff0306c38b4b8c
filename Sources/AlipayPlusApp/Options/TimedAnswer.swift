import Foundation

/// An answer, or the end of the time for it: whichever comes first, once. A transport that does not heed its cancellation is not waited for.
@MainActor
final class TimedAnswer {
    private typealias News = Result<OptionAnswer, IAPError>

    private var continuation: CheckedContinuation<News, Never>?

    static func get(
        _ address: URL, by transport: any OptionTransport, within limit: Duration, wait: @escaping Waiting
    ) async throws(IAPError) -> OptionAnswer {
        let answer = TimedAnswer()
        let asking = Task {
            do { answer.end(.success(try await transport.get(address))) } catch {
                answer.end(.failure(IAPError(.invalidNetwork, "no answer came from the content network")))
            }
        }
        let clock = Task {
            do { try await wait(limit) } catch { return }
            answer.end(.failure(IAPError(.invalidNetwork, "no answer came from the content network in time")))
        }
        let news = await withTaskCancellationHandler {
            await withCheckedContinuation { answer.continuation = $0 }
        } onCancel: {
            Task { @MainActor in answer.end(.failure(IAPError(.invalidNetwork, "the inquiry was cancelled"))) }
        }
        asking.cancel()
        clock.cancel()
        return try news.get()
    }

    private func end(_ news: News) {
        continuation?.resume(returning: news)
        continuation = nil
    }
}
