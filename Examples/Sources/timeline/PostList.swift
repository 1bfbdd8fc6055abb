import Foundation
import GRDB
import Ops

/// What is on the screen: the posts as the view's context of the store sees them.
@MainActor
final class PostList {
    private(set) var posts: [Post] = []
    /// How often it was notified of changed posts.
    private(set) var updateCount = 0
    private var following: Task<Void, Never>?
    private var waiting: [(condition: ([Post]) -> Bool, shown: CheckedContinuation<Void, Never>)] = []

    private let recorder: Recorder

    /// Shows the posts of `store` from now on, until `close`.
    ///
    /// - Parameter recorder: gets a mark for all that is shown.
    init(_ store: PostStore, recorder: Recorder) {
        self.recorder = recorder
        following = Task { [weak self] in
            do {
                for try await posts in store.updates { self?.show(posts) }
            } catch {
                assertionFailure("the posts cannot be read: \(error)")
            }
        }
    }

    func close() async {
        following?.cancel()
        await following?.value
    }

    var unread: [Post] { posts.filter { !$0.isRead } }

    /// Returns when the list shows something for which `condition` holds.
    func shows(_ condition: @escaping ([Post]) -> Bool) async {
        guard !condition(posts) else { return }
        await withCheckedContinuation { waiting.append((condition, $0)) }
    }

    private func show(_ posts: [Post]) {
        self.posts = posts
        updateCount += 1
        recorder.mark("the list shows \(unread.count) unread posts of \(posts.count)")
        let met = waiting.filter { $0.condition(posts) }
        waiting.removeAll { $0.condition(posts) }
        for (_, shown) in met { shown.resume() }
    }
}
