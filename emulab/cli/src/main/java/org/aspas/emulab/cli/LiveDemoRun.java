package org.aspas.emulab.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.bftcluster.replica.PrintCapture;
import org.aspas.emulab.console.demo.DemoSummary;
import org.aspas.emulab.console.demo.LiveDemo;
import org.aspas.emulab.console.demo.LiveDemoOptions;
import org.aspas.emulab.experiments.Terminal;

/** A demo that somebody looks at in a browser. */
final class LiveDemoRun {
    private LiveDemoRun() {}

    /**
     * Runs for a time, or until Ctrl-C.
     *
     * @return the exit code
     */
    static int run(Terminal terminal, LiveDemoOptions options, Duration length)
            throws IOException, InterruptedException, TimeoutException {
        PrintCapture.install();
        terminal.line("starting " + options.quorums().appservers() + " appservers, "
                + options.quorums().bftservers() + " bftservers and " + options.clients() + " clients in world "
                + options.world().name() + " ...");
        LiveDemo demo = LiveDemo.start(options);
        CountDownLatch over = new CountDownLatch(1);
        Thread closing = new Thread(() -> {
            end(terminal, demo);
            over.countDown();
        });
        Runtime.getRuntime().addShutdownHook(closing);
        terminal.line("");
        terminal.title("Open this page in a browser of this machine:");
        terminal.title("  " + demo.address());
        terminal.line(
                "Move a τ, corrupt a site and verify the proof there. Treat this URL as a password: anyone who has it can control the demo.");
        terminal.line("All servers are in this process, and the distances are emulated. Ctrl-C ends it.");
        if (over.await(length.toMillis(), TimeUnit.MILLISECONDS)) {
            return ExitCodes.DONE; // The process is ending.
        }
        Runtime.getRuntime().removeShutdownHook(closing);
        return end(terminal, demo).clean() ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static DemoSummary end(Terminal terminal, LiveDemo demo) {
        DemoSummary summary = demo.summary();
        demo.close();
        terminal.line("");
        summary.lines().forEach(terminal::line);
        return summary;
    }
}
