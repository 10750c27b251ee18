package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.node.LongNode;
import java.util.function.Function;
import org.aspas.client.api.Counter;
import org.aspas.client.api.Update;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas counter}: changes and reads one counter. */
@Command(
        name = "counter",
        description = {
            "Change or read a counter.",
            "A counter is a 64-bit integer that wraps around: 9223372036854775807 + 1 is -9223372036854775808."
        },
        synopsisSubcommandLabel = "inc|dec|get",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas counter inc likes/42 --by 5 --dir lab --confirm",
            "  aspas counter get likes/42 --dir lab --server 3 --level certified --json"
        })
final class CounterCommand implements Runnable {
    private static final String KEY = "The counter, such as likes/42.";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: inc, dec or get");
    }

    @Command(
            name = "inc",
            mixinStandardHelpOptions = true,
            description = "Add to a counter.",
            footerHeading = "%nExample:%n",
            footer = "  aspas counter inc likes/42 --by 5 --dir lab --confirm")
    int increment(
            @Parameters(paramLabel = "KEY", description = KEY) String key,
            @Option(names = "--by", defaultValue = "1", description = "Amount, from 1 (default: ${DEFAULT-VALUE}).")
                    long amount,
            @Mixin UpdateOptions update,
            @Mixin ClientOption session,
            @Mixin JsonOption json)
            throws Exception {
        return change(key, amount, counter -> counter.increment(amount), update, session, json);
    }

    @Command(
            name = "dec",
            mixinStandardHelpOptions = true,
            description = "Subtract from a counter.",
            footerHeading = "%nExample:%n",
            footer = "  aspas counter dec likes/42 --by 2 --dir lab")
    int decrement(
            @Parameters(paramLabel = "KEY", description = KEY) String key,
            @Option(names = "--by", defaultValue = "1", description = "Amount, from 1 (default: ${DEFAULT-VALUE}).")
                    long amount,
            @Mixin UpdateOptions update,
            @Mixin ClientOption session,
            @Mixin JsonOption json)
            throws Exception {
        return change(key, amount, counter -> counter.decrement(amount), update, session, json);
    }

    private static int change(
            String key,
            long amount,
            Function<Counter, Update> call,
            UpdateOptions update,
            ClientOption session,
            JsonOption json)
            throws Exception {
        if (amount < 1) {
            throw new IllegalArgumentException("--by " + amount + " is less than 1");
        }
        return Reports.update(key, client -> call.apply(client.counter(key)), update, session, json);
    }

    @Command(
            name = "get",
            mixinStandardHelpOptions = true,
            description = "Read a counter; a new counter is 0.",
            footerHeading = "%nExample:%n",
            footer = "  aspas counter get likes/42 --dir lab --level certified --proof likes.cbor")
    int read(
            @Parameters(paramLabel = "KEY", description = KEY) String key,
            @Mixin ReadOptions options,
            @Mixin ClientOption session,
            @Mixin JsonOption json)
            throws Exception {
        return Reports.read(
                key,
                "value",
                (client, level) -> client.counter(key).get(level),
                LongNode::valueOf,
                options,
                session,
                json);
    }
}
