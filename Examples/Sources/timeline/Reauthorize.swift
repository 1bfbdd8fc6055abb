import Foundation
import Ops
import OpsNetwork

/// Ensures that the account has a token that stays valid for some time, and refreshes it if needed. The token
/// is its output.
///
/// If several run at once, one asks the server, and the others use its token or fail with its error.
///
/// If it is cancelled during the refresh, it finishes when the server has answered, and the account keeps the
/// new token. The old one is invalid by then, so giving up would lock the user out.
final class Reauthorize: TaskOperation<Token>, @unchecked Sendable {
    private let account: Account
    private let client: TimelineClient
    private let timeout: Timeout
    private let queue: InstrumentedQueue

    /// How long the server may take for a refresh, and the clock that measures it.
    struct Timeout: Sendable {
        var limit = Duration.seconds(10)
        var clock: any Clock<Duration> = ContinuousClock()
    }

    init(_ account: Account, at client: TimelineClient, timeout: Timeout = Timeout(), recorder: Recorder) {
        self.account = account
        self.client = client
        self.timeout = timeout
        queue = InstrumentedQueue(recorder: recorder)
        queue.name = "authorization"
        super.init(name: "reauthorize")
        exclusionKeys = [account.key]
    }

    override func run() async throws -> Token {
        if let token = await account.token(at: .now) { return token }
        if let refusal = await account.refusal { throw refusal }
        let refresh = DataOperation(
            client.refresh(await account.refreshToken), session: client.session, maximumSize: 1 << 16,
            name: "refresh the token")
        refresh.setTimeout(timeout.limit, clock: timeout.clock)
        queue.addOperation(refresh)
        do {
            let answer = try JSONDecoder().decode(TokenAnswer.self, from: try await refresh.value)
            return await account.keep(answer, at: .now)
        } catch let failure as HTTPFailure where failure.status == 400 {
            let refusal = Refusal(failure)
            await account.keep(refusal)
            throw refusal
        }
    }
}

/// The error of a reauthorization that the server has refused. The user must log in again.
struct Refusal: Error, Hashable, CustomStringConvertible {
    /// The answer of the server: RFC 6749, section 5.2.
    private struct Answer: Decodable {
        var error: String
        var description: String?

        enum CodingKeys: String, CodingKey {
            case error
            case description = "error_description"
        }
    }

    let reason: String

    var description: String { "the server refuses a new token: \(reason)" }

    init(_ failure: HTTPFailure) {
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(failure.body.utf8))
        reason = answer.map { $0.description ?? $0.error } ?? "it does not say why"
    }
}
