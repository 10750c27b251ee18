package org.aspas.emulab.sim.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorldReaderTest {
    private static final String SMALL = """
        name: small
        about: Two towns.
        sites:
          east: {near: Tokyo, at: [35.7, 139.7]}
          west: {at: [37.8, -122.4]}
        round_trips_ms:
          east: {west: 110.5, east: 0.2}
        jitter: 2 %
        bandwidth_mbit: 100
        placement:
          appservers: [east, west]
          bftservers: east
          clients: [west]
        """;

    private static WorldMap shipped(String name) throws MalformedFileException {
        return WorldReader.read(name, ShippedWorlds.file(name).orElseThrow(), role -> true);
    }

    private static WorldMap read(String text) throws MalformedFileException {
        return WorldReader.read("small.yaml", text, "forking"::equals);
    }

    @Test
    void distancesAreThoseOfTheSitesThatPartiesArePlacedAt() throws MalformedFileException {
        WorldMap world = read(SMALL);
        assertThat(world.between(NodeId.appserver(0), NodeId.appserver(1)))
                .isEqualTo(new LinkQuality(55_250, 1_105, 100_000_000));
        assertThat(world.between(NodeId.appserver(2), NodeId.bftserver(3)))
                .as("the third appserver is where the first is")
                .isEqualTo(new LinkQuality(100, 2, 100_000_000));
        assertThat(world.toClient(7, 1))
                .as("inside a site without a round trip")
                .isEqualTo(new LinkQuality(0, 0, 100_000_000));
        assertThat(world.siteOf(NodeId.appserver(2)).orElseThrow().near()).isEqualTo("Tokyo");
    }

    @Test
    void clientsBeginWithTheNearestAppserver() throws MalformedFileException {
        WorldMap world = shipped("aws5");
        assertThat(List.of(0, 1, 2, 3))
                .allSatisfy(client -> assertThat(world.home(client, 4)).isEqualTo(client));
        assertThat(world.home(4, 4)).as("from sao paulo, montreal is nearest").isEqualTo(1);
        WorldMap paper = shipped("paper");
        assertThat(List.of(0, 5, 10))
                .allSatisfy(client -> assertThat(paper.home(client, 4))
                        .as("all are equally near")
                        .isEqualTo(client % 4));
    }

    @Test
    void thePapersNetworksHaveTheRoundTripsThatItNames() throws MalformedFileException {
        WorldMap paper = shipped("paper");
        assertThat(paper.toClient(3, 2).delayMicros()).isEqualTo(35_000);
        assertThat(paper.between(NodeId.bftserver(0), NodeId.bftserver(3)).delayMicros())
                .isEqualTo(5_000);
        for (int one = 0; one < 10; one++) {
            for (int other = 0; other < 4; other++) {
                long back = paper.between(NodeId.bftserver(other), NodeId.appserver(one))
                        .delayMicros();
                assertThat(back)
                        .isBetween(35_000L, 55_000L)
                        .isEqualTo(paper.between(NodeId.appserver(one), NodeId.bftserver(other))
                                .delayMicros());
            }
        }
    }

    @Test
    void everyShippedWorldIsWhole() throws MalformedFileException {
        for (String name : ShippedWorlds.names()) {
            WorldMap world = shipped(name);
            assertThat(world.name()).isEqualTo(name);
            assertThat(world.between(NodeId.appserver(9), NodeId.bftserver(3)).delayMicros())
                    .isPositive();
        }
        assertThat(ShippedWorlds.file("no-such-world")).isEmpty();
    }

    @Test
    void theTimelineNamesPartiesBySiteAndByName() throws MalformedFileException {
        WorldMap world = read(SMALL + """
            faults:
              - {at: 10 s, for: 500 ms, partition: [[east], [west, bftserver-1]]}
              - {at: 1 min, for: 5 s, slow: [west, appserver-0], by: 200 ms}
              - {at: 2 s, for: 3 s, freeze: appserver-1}
              - {at: 0 s, byzantine: appserver-1, role: forking}
            """);
        assertThat(world.faults()).hasSize(4);
        WorldFault.Partition split = (WorldFault.Partition) world.faults().get(0);
        assertThat(split.ends()).isEqualTo(10_500_000);
        assertThat(split.groups().get(0).has(world, NodeId.appserver(2))).isTrue();
        assertThat(split.groups().get(1).has(world, NodeId.bftserver(1))).isTrue();
        assertThat(split.groups().get(1).hasClient(world, 12)).isTrue();
        assertThat(((WorldFault.SlowLink) world.faults().get(1)).byMicros()).isEqualTo(200_000);
        assertThat(world.faults().get(3)).isEqualTo(new WorldFault.Misbehave(0, NodeId.appserver(1), "forking"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        jitter: 2 %            | jitter: 200 %          | small.yaml:8: jitter is 200: it takes a number from 0 to 100
        jitter: 2 %            | jiter: 2 %             | small.yaml:8: unknown key jiter in the file
        bandwidth_mbit: 100    | bandwidth_mbit: -1     | small.yaml:9: bandwidth_mbit is -1: it takes a number from 0.001 to 1,000,000
        west: 110.5            | west: many             | small.yaml:7: west is many: it takes a number from 0 to 60,000
        west: 110.5            | wset: 110.5            | small.yaml:7: unknown key wset in east: known are east, west
        bftservers: east       | bftservers: north      | small.yaml:12: there is no site north: known are east, west
        at: [35.7, 139.7]      | at: [35.7]             | small.yaml:4: at takes latitude and longitude
        at: [37.8, -122.4]     | at: [97.8, -122.4]     | small.yaml:5: an element of at is 97.8: it takes a number from -90 to 90
        {west: 110.5, east: 0.2} | {east: 0.2}          | small.yaml:11: round_trips_ms has none between west and east
        name: small            | title: small           | small.yaml:1: unknown key title in the file
        sites:                 | sites: [               | small.yaml:
        clients: [west]        | clients: []            | small.yaml:11: networks_ms has no clients_appservers
        """)
    void aMistakeIsOneErrorWithLineAndRange(String right, String wrong, String error) {
        assertThat(SMALL).contains(right);
        assertThatThrownBy(() -> read(SMALL.replace(right, wrong)))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {at: 10 parsecs, for: 1 s, kill: appserver-1} | at is 10 parsecs: it takes a time such as 250 ms, 1.5 s or 2 min
        {at: 10 s, for: 1 s, kill: server-1}          | server-1 is no node
        {at: 10 s, kill: appserver-1}                 | for is missing
        {at: 10 s, for: 1 s}                          | a fault is one of byzantine, freeze, kill, partition, slow
        {at: 10 s, for: 1 s, partition: [[east]]}     | this takes at least 2 groups
        {at: 10 s, byzantine: appserver-1, role: nice} | there is no Byzantine role nice
        {at: 10 s, byzantine: bftserver-1, role: forking} | only appservers take Byzantine roles here
        """)
    void aMistakeOnTheTimelineToo(String fault, String error) {
        assertThatThrownBy(() -> read(SMALL + "faults:\n  - " + fault + "\n"))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith("small.yaml:15: " + error);
    }

    @Test
    void nothingIsNoWorld() {
        assertThatThrownBy(() -> read("")).hasMessage("small.yaml:1: the file is empty");
        assertThatThrownBy(() -> read("- a\n- b\n")).hasMessage("small.yaml:1: the file needs keys and values");
        assertThatThrownBy(() -> read("name: a\nname: b\n")).isInstanceOf(MalformedFileException.class);
    }
}
