package org.aspas.emulab.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.console.demo.LiveDemo;
import org.aspas.emulab.console.demo.LiveDemoOptions;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldReader;
import org.aspas.emulab.workload.LoadModel;

/**
 * What an open page costs: one demo whose clients do what they can, with a page that is closed, open, open and closed in turns, and the
 * operations a second of both. Arguments: clients, pairs of turns, seconds of a turn, seconds of warm-up. Not a test: it takes minutes, and
 * its figure is worth as much as the machine is quiet.
 */
public final class ConsoleCostMain {
    private ConsoleCostMain() {}

    /** Prints the ratio. */
    public static void main(String[] arguments) throws Exception {
        int clients = Integer.parseInt(arguments[0]);
        int pairs = Integer.parseInt(arguments[1]);
        long seconds = Long.parseLong(arguments[2]);
        LiveDemoOptions options = LiveDemoOptions.usual(
                        new Quorums(1, 1),
                        WorldReader.read("lan", ShippedWorlds.file("lan").orElseThrow(), Roles::isServer),
                        clients,
                        1)
                .loaded(new LoadModel.Closed(1));
        List<Double> ratios = new ArrayList<>();
        try (LiveDemo demo = LiveDemo.start(options)) {
            pass(Long.parseLong(arguments[3]));
            for (int pair = 0; pair < pairs; pair++) {
                boolean openFirst = pair % 2 == 1;
                double first = perSecond(demo, openFirst, seconds);
                double second = perSecond(demo, !openFirst, seconds);
                double ratio = openFirst ? first / second : second / first;
                ratios.add(ratio);
                System.out.printf(
                        Locale.ROOT,
                        "open %,.0f, closed %,.0f operations/s: %.3f%n",
                        openFirst ? first : second,
                        openFirst ? second : first,
                        ratio);
            }
        }
        double[] sorted = ratios.stream().mapToDouble(ratio -> ratio).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "open : closed: median %.3f, mean %.3f, of %d pairs%n",
                sorted[sorted.length / 2],
                DoubleStream.of(sorted).average().orElse(0),
                sorted.length);
        System.exit(0);
    }

    private static double perSecond(LiveDemo demo, boolean open, long seconds) throws Exception {
        try (PageClient page = new PageClient(demo.address())) {
            if (open) {
                page.listen();
            }
            pass(1); // What the turn before has left is done.
            long before = demo.summary().operations();
            long start = System.nanoTime();
            pass(seconds);
            return (demo.summary().operations() - before) / ((System.nanoTime() - start) / 1e9);
        }
    }

    private static void pass(long seconds) throws InterruptedException {
        new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
    }
}
