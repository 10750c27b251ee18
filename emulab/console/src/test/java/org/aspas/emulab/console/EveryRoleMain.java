package org.aspas.emulab.console;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.console.demo.LiveDemo;
import org.aspas.emulab.console.demo.LiveDemoOptions;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import org.aspas.emulab.testbed.attack.ByzantineReport;

/**
 * Takes over a server in one role after the other, each in a demo of its own, and prints what becomes of it. Arguments: seconds for each
 * role, then roles; without any, those that are provable. Not a test: it takes many minutes.
 */
public final class EveryRoleMain {
    private static final int CLIENTS = 20;
    private static final int BAD = 3;

    private EveryRoleMain() {}

    /** Prints a line for each role. */
    public static void main(String[] arguments) throws Exception {
        long seconds = Long.parseLong(arguments[0]);
        List<String> roles = arguments.length > 1
                ? List.of(arguments).subList(1, arguments.length)
                : LiveDemo.roles().stream().filter(Roles::isProvable).toList();
        WorldMap world = WorldReader.read("aws5", ShippedWorlds.file("aws5").orElseThrow(), Roles::isServer);
        for (String role : roles) {
            try (LiveDemo demo = LiveDemo.start(LiveDemoOptions.usual(new Quorums(1, 1), world, CLIENTS, 1))) {
                demo.act(
                        "corrupt",
                        ConsoleState.object().put("server", "appserver-" + BAD).put("role", role));
                System.out.println(line(role, outcome(demo, seconds)));
            }
        }
        System.exit(0);
    }

    private static ByzantineReport outcome(LiveDemo demo, long seconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < deadline
                && demo.attack().map(ByzantineReport::excluded).isEmpty()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
        return demo.attack().orElseThrow();
    }

    private static String line(String role, ByzantineReport report) {
        ByzantineReport.Moment excluded = report.excluded();
        return String.format(
                Locale.ROOT,
                "%-28s %,6d misdeeds, proof %s, excluded %s, harmed %s",
                role,
                report.misdeeds(),
                report.proof(),
                excluded == null ? "never" : excluded.millis() + " ms",
                report.harmed());
    }
}
