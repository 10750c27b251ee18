package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.aspas.certify.identity.PublicKey;
import org.aspas.client.core.ClientEvent.Why;

/** Which appserver this client talks to, and which it would turn to: one that it has the least against, by lot. */
final class Servers {
    private enum Opinion {
        NONE,
        LEFT,
        LIED,
        CONVICTED
    }

    private final CoreSettings settings;
    private final RandomGenerator random;
    private final Opinion[] opinions;
    private int current;

    Servers(CoreSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.random = random;
        this.opinions = new Opinion[settings.servers()];
        Arrays.fill(opinions, Opinion.NONE);
        this.current = settings.server();
    }

    int current() {
        return current;
    }

    PublicKey key(int server) {
        return settings.keys().get(server);
    }

    boolean exists(int server) {
        return server >= 0 && server < opinions.length;
    }

    /** Among this many servers at least one is correct. */
    int oneCorrect() {
        return settings.quorums().oneCorrectAppserver();
    }

    /** All but one, in order. */
    List<Integer> allBut(int server) {
        List<Integer> others = new ArrayList<>();
        for (int i = 0; i < opinions.length; i++) {
            if (i != server) {
                others.add(i);
            }
        }
        return others;
    }

    boolean convicted(int server) {
        return opinions[server] == Opinion.CONVICTED;
    }

    void convict(int server) {
        opinions[server] = Opinion.CONVICTED;
    }

    /** Leaves the present server; empty, and nothing changes, when every other one is convicted. */
    OptionalInt moveOn(Why why) {
        int from = current;
        Opinion worse = why == Why.NOT_VERIFIED || why == Why.NOT_INSPECTABLE ? Opinion.LIED : Opinion.LEFT;
        if (opinions[from].compareTo(worse) < 0) {
            opinions[from] = worse;
        }
        Opinion best = Opinion.CONVICTED;
        for (int server : allBut(from)) {
            best = opinions[server].compareTo(best) < 0 ? opinions[server] : best;
        }
        if (best == Opinion.CONVICTED) {
            return OptionalInt.empty();
        }
        List<Integer> candidates = new ArrayList<>();
        for (int server : allBut(from)) {
            if (opinions[server] == best) {
                candidates.add(server);
            }
        }
        current = candidates.get(random.nextInt(candidates.size()));
        return OptionalInt.of(current);
    }
}
