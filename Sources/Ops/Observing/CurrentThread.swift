import CRecorder

/// The calling thread.
package enum CurrentThread {
    /// The operating system's number, as debuggers and logs show it.
    package static var number: Int64 { Int64(clamping: recorder_thread_number()) }
}
