import Foundation
import Ops
import OpsNetwork

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches a timeline into the store: reauthorization first, always; the token goes on to the request, and so
/// forth, each output to the next operation.
final class FetchTimeline: GroupOperation, @unchecked Sendable {
    /// For others who need the token.
    let reauthorize: Reauthorize

    init(
        _ name: String, of account: Account, at client: TimelineClient, into store: PostStore,
        timeout: Reauthorize.Timeout = Reauthorize.Timeout(), recorder: Recorder = .shared
    ) {
        reauthorize = Reauthorize(account, at: client, timeout: timeout, recorder: recorder)
        super.init(name: "\(account.name)'s \(name)", failurePolicy: .collectAll, recorder: recorder)
        let request = reauthorize.then(name: "sign", kind: "SignRequest") { token in
            client.timeline(name, token)
        }
        let fetch = DataOperation(
            from: request, session: client.session, maximumSize: 1 << 20, name: "fetch")
        let decode = fetch.then(name: "decode", kind: "DecodePosts") { data in
            try JSONDecoder().decode([PublishedPost].self, from: data)
        }
        let save = decode.thenSynchronously(name: "save", kind: "SavePosts") { posts in
            try store.save(posts)
        }
        save.exclusionKeys = [store.key]
        for step in [reauthorize, request, fetch, decode, save] { add(step) }
    }
}
