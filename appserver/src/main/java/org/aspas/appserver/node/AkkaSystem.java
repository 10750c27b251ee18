package org.aspas.appserver.node;

import akka.actor.ActorSystem;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.aspas.appserver.http.ParsingProblems;
import org.aspas.appserver.net.CoreHandle;

/** Makes actor systems for appservers. Configured here and nowhere else: files and system properties are not read. */
public final class AkkaSystem {
    private static final String SETTINGS = String.join(
            "\n",
            "akka {",
            "  loggers = [\"akka.event.slf4j.Slf4jLogger\"]",
            "  logging-filter = \"akka.event.slf4j.Slf4jLoggingFilter\"",
            "  loglevel = INFO",
            "  stdout-loglevel = OFF",
            "  log-dead-letters = off",
            "  log-dead-letters-during-shutdown = off",
            "  jvm-exit-on-fatal-error = off",
            "  coordinated-shutdown.run-by-jvm-shutdown-hook = off",
            "  coordinated-shutdown.run-by-actor-system-terminate = off",
            "  actor.default-dispatcher.fork-join-executor {",
            "    parallelism-min = 1",
            "    parallelism-factor = 0.5",
            "    parallelism-max = 16",
            "  }",
            // The actor of a connection and the stream that it feeds take turns on one thread: no wake-up between them.
            "  io.tcp.worker-dispatcher = \"akka.actor.default-dispatcher\"",
            // Anybody can make a stage of Akka HTTP fail. Stages of ours that must not say so themselves.
            "  stream.materializer.stage-errors-default-log-level = debug",
            "  http.server.parsing.illegal-header-warnings = off",
            "  http.server.parsing.error-logging-verbosity = off",
            "  http.server.parsing.error-handler = \"" + ParsingProblems.class.getName() + "\"",
            "}",
            CoreHandle.DISPATCHER + " {",
            "  type = PinnedDispatcher",
            "  executor = thread-pool-executor",
            "  throughput = 64",
            "}");

    private AkkaSystem() {}

    /**
     * An actor system that any number of appservers may share. Whoever makes it terminates it.
     *
     * @param name letters, digits and hyphens; shown in thread names
     */
    public static ActorSystem create(String name) {
        Config config = ConfigFactory.parseString(SETTINGS)
                .withFallback(ConfigFactory.defaultReference())
                .resolve();
        return ActorSystem.create(name, config);
    }
}
