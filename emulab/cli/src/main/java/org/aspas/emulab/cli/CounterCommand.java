package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.Callable;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.Counter;
import org.aspas.client.api.ReadResult;
import org.aspas.client.api.Update;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code aspas counter}: changes and reads one counter. */
@Command(
        name = "counter",
        description = {
            "Change or read a counter.",
            "It is a 64-bit integer that wraps around: 9223372036854775807 and 1 more is -9223372036854775808."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas counter inc likes/42 --by 5 --dir lab --confirm",
            "  aspas counter get likes/42 --dir lab --server 3 --certified --json"
        })
final class CounterCommand implements Callable<Integer> {
    /** What to do with the counter. */
    enum Action {
        /** Add. */
        INC,
        /** Subtract. */
        DEC,
        /** Read. */
        GET
    }

    @Parameters(index = "0", paramLabel = "inc|dec|get", description = "What to do.")
    private Action action = Action.GET;

    @Parameters(index = "1", paramLabel = "KEY", description = "The counter, such as likes/42.")
    private String key = "";

    @Option(names = "--by", defaultValue = "1", description = "How much, from 1 (default: ${DEFAULT-VALUE}).")
    private long amount;

    @Mixin
    private ProofOption proof = new ProofOption();

    @Mixin
    private ClientOption session = new ClientOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        if (amount < 1) {
            throw new IllegalArgumentException("--by " + amount + " is less than 1");
        }
        proof.check(action == Action.GET, session.level());
        try (AspasClient client = session.connect()) {
            Counter counter = client.counter(key);
            ObjectNode out = new ObjectMapper().createObjectNode().put("key", key);
            if (action == Action.GET) {
                ReadResult<Long> read = session.await(counter.get(session.level()));
                out.put("value", read.value());
                Reports.read(out, read);
                proof.write(out, read);
            } else {
                Update update = action == Action.INC ? counter.increment(amount) : counter.decrement(amount);
                Reports.update(out, update, session);
            }
            Reports.tolerance(out, client.statistics());
            Reports.print(json, out, "value");
        }
        return ExitCodes.DONE;
    }
}
