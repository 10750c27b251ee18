package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Verifier;
import org.aspas.client.ScriptedServer;
import org.aspas.client.core.ClientEvent.Why;
import org.junit.jupiter.api.Test;

/** To whom a client turns: f = 1, four servers, of which it begins at the first. */
class ServersTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {1});
    private static final int SEEDS = 50;

    private static Servers servers(long seed) {
        ClientSettings settings = new ClientSettings(
                new Verifier(DEPLOYMENT),
                ScriptedServer.judge(DEPLOYMENT),
                ScriptedServer.QUORUMS,
                ScriptedServer.serverPublicKeys(),
                0,
                ClientId.NOBODY,
                new ClientSettings.Bounds(10, 10, 10, 10, 512, 4096, 60_000),
                Policy.USUAL,
                false,
                Tagging.NONE);
        return new Servers(settings, new SplittableRandom(seed), new Step(false));
    }

    /** All servers to which fresh clients turn, given who is better. */
    private static Set<Integer> turnedTo(Set<Integer> better) {
        Set<Integer> all = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            all.add(servers(seed).moveOn(Why.UNANSWERED, better).orElseThrow());
        }
        return all;
    }

    @Test
    void amongThoseThatAreBetterOneIsCorrect() {
        assertThat(turnedTo(Set.of(1, 2))).containsExactly(1, 2);
    }

    @Test
    void nobodyWhoIsBetterMeansAnybody() {
        assertThat(turnedTo(Set.of())).containsExactly(1, 2, 3);
    }

    /** Where all others are slow, the only prompt one may be the liar: not everybody turns to it. */
    @Test
    void whoeverAloneIsBetterSharesWithThoseThatWereNeverLeft() {
        assertThat(turnedTo(Set.of(3))).containsExactly(1, 2, 3);
    }

    @Test
    void whoeverWasLeftIsChosenAgainForBeingBetter() {
        Set<Integer> fifth = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            Servers servers = servers(seed);
            int second = servers.moveOn(Why.UNANSWERED, Set.of()).orElseThrow();
            int third = servers.moveOn(Why.UNANSWERED, Set.of()).orElseThrow();
            int fourth = servers.moveOn(Why.UNANSWERED, Set.of()).orElseThrow();
            assertThat(Set.of(0, second, third, fourth)).as("nobody twice").hasSize(4);
            int chosen = servers.moveOn(Why.UNANSWERED, Set.of(second)).orElseThrow();
            fifth.add(chosen == second ? 1 : 0);
            assertThat(servers.moveOn(Why.UNANSWERED, allBut(chosen)).orElseThrow())
                    .isNotEqualTo(chosen);
        }
        assertThat(fifth)
                .as("all were left once: who alone is better is no sure choice")
                .containsExactly(0, 1);
    }

    private static Set<Integer> allBut(int server) {
        Set<Integer> others = new TreeSet<>(Set.of(0, 1, 2, 3));
        others.remove(server);
        return others;
    }

    @Test
    void whoeverLiedIsNotChosenForBeingFast() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Servers servers = servers(seed);
            servers.moveOn(Why.NOT_VERIFIED, Set.of());
            assertThat(servers.moveOn(Why.UNANSWERED, Set.of(0)).orElseThrow()).isNotZero();
        }
    }
}
