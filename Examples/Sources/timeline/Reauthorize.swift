import Foundation
import Ops
import OpsNetwork

/// Makes sure that there is a token that is good for some time yet: the one that the account has, or a new
/// one. The token is its output.
///
/// Where several are there at once, one asks the server, and the others take what it got, or fail as it did.
///
/// Cancelled while it refreshes, it finishes when the server has answered, and the account keeps the new
/// token: the server has used up the old one by then, and who gave up would be locked out.
final class Reauthorize: TaskOperation<Token>, @unchecked Sendable {
    private let account: Account
    private let client: TimelineClient
    private let timeout: Timeout
    private let queue: InstrumentedQueue

    /// How long the server may take for a refresh, and what measures that.
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

/// The error of a reauthorization that the server has refused: somebody has to log in again.
struct Refusal: Error, Hashable, CustomStringConvertible {
    /// What the server says: RFC 6749, section 5.2.
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
