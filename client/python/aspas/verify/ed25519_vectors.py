"""Signatures that libraries disagree about (docs/formats.md, section 12): name, whether it is valid, key, text, signature."""

from __future__ import annotations

from typing import Tuple

VECTORS: Tuple[Tuple[str, bool, str, str, str], ...] = (
    (
        "a sound key and an honest R",
        True,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "fc857a210e5c85962b79c1c87f25a6bfa551c4a11bc7e735cdbab1d818408476"
        "c27bc5496faaf5dfb899dbdfd85f296ef1db19c34541adc7abf5b7553813f20f",
    ),
    (
        "a sound key, R with a part of order 2",
        False,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "33dfaccd47dfaee7de8cdfee71e4a62cf1288a966e2aa18e0625e667ea587fd3"
        "407ef2e80471bb94cdbc07b878c57faf856ec639910c44280d1a0895f062150a",
    ),
    (
        "a sound key, R with a part of order 4",
        False,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "c2ff39a4595b08eca16f498ae3debbb5d4047e09f2b70729f9611028448ba50f"
        "2df6fbbdfa2f7ba2331cbf14251046f9a3cde0319da388316cafb7d292756609",
    ),
    (
        "a sound key, R with a part of order 8",
        False,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "047be8f9ade3a79b04c0810a4708b466e3f07c972ffeb05d5bfe978e64ff74fb"
        "8cfc9d3acc0edc354bffa3db7d871ca644bf41df439eb94527eee0f1b4d0b001",
    ),
    (
        "a sound key, R of small order, 0/8",
        False,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "0100000000000000000000000000000000000000000000000000000000000000"
        "497be6c7a354d0e137e706e2c0c68911451d07b68b5e96ece957ac61bd498107",
    ),
    (
        "a sound key, R of small order, 1/8",
        False,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
        "f9fb3e790a0c1c425e4d6b1d20c1c1fac76d0decee9bdeb840aa02ade58d930d",
    ),
    (
        "a sound key, R of small order, 2/8",
        False,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "0000000000000000000000000000000000000000000000000000000000000080"
        "9268093fcd0fdcc3fd2979ef1c7249ff117269989454867b2814d2a1cd863304",
    ),
    (
        "a sound key, R of small order, 4/8",
        False,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
        "458982682b9c36c1bd286c479b667a5229c1c1b758c4f0682c5a0b7f9fffb201",
    ),
    (
        "a sound key, R no canonical encoding, y = p + 1",
        False,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
        "4f1102e52615b0921efad222ad0816628f2bac4ddbe9390424e16c62287d8906",
    ),
    (
        "a sound key, R no canonical encoding, y = 1, odd",
        False,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "0100000000000000000000000000000000000000000000000000000000000080"
        "0ded21d6f6ffe7e911f2811d5c3eaebf6bf3abdb40460d5cfd0a8b88329bc30f",
    ),
    (
        "a sound key, S above L by 1 L",
        False,
        "d8f02fc516169809782c04f32d11c843613a49fa7ab2d6a6a2ccd6db829d3350",
        "12b81927ba5bb5f67e1b",
        "c8861fae9f8e496e21c1af71b7f28efc04341f0d5f382f3a2932392aa593a93d"
        "ee546262cdceef5e25b0d3517b8204b27349618260fe98dcaf58d36cd7c5da1c",
    ),
    (
        "a key with a part of small order, 1/8",
        False,
        "23031174c18d00f9dcf993e1a32f2b4ed1cbcf728a8fa3d92a40c8498738c407",
        "03e8",
        "a03c21e0427a6b414c9a04cedad9600462a555ad14b11544760e2dba3fea703a"
        "02a59e27507db6557cb8e56cbb1ecdba8c252ec6d1fa8f6030a4ca346887bc08",
    ),
    (
        "a key with a part of small order, 2/8",
        False,
        "32cf3023e3803db00922725ac61d0848f9e70911664d89ea8418f628c3cea7f8",
        "03ef",
        "16fc23852297b2788628b0b667a850d2b50edc09c4bc25ce3a1e1c98c4aabc9a"
        "87853372e47772f2540b530d357e9f033c10db8e86bee63ad60140b2878e270c",
    ),
    (
        "a key with a part of small order, 4/8",
        False,
        "150fd03ae9e967f687d3fb0cd2ee37bc9ec5b605854d29595d3329247d62ccaf",
        "03f1",
        "e0fd54bbfcecb2e82c9fe677436e903e29de525e3851819d40fd19ac1763022a"
        "4802caa262d64124b2dc814ecff13ddec2716d2a4711eddd28cd6d50a11dc20c",
    ),
    (
        "a key of small order, 0/8",
        False,
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0403",
        "ab8dbdff027d4bfebb46b0e2e421f580e7eb0f39b5321e87ee2f614c13b8abd6"
        "55ca01c431a1b55fb5fba2dca2bbb893c025ad689c42589e84bfe26c52747807",
    ),
    (
        "a key of small order, 1/8",
        False,
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "03f0",
        "8b9cfc917edf9eb8523794dad8f0a1ab54628cfa8673c80d2568606a38393d48"
        "6025670c9ba1247270f355f675e8fe04b15c3f4934e68bb85ea464ca3a58a206",
    ),
    (
        "a key of small order, 2/8",
        False,
        "0000000000000000000000000000000000000000000000000000000000000080",
        "03ef",
        "c892ad43ab9376fa2579654dab9d31dbcdff9123982b74a951348d472d1012d7"
        "060e0c42a4c693c14e008a72021ac4aa3453b2e24e0aa105f8019c9c19627d05",
    ),
    (
        "a key of small order, 4/8",
        False,
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "03ee",
        "5ddad8a27d6a968c24b5ad592d0d220512ab407e1a5a62ec4c168d44fbd1ddac"
        "54061842e8ff29e64e16bae5a3fe72e5fc7e8819cd0acd7a8af85833bd749205",
    ),
    (
        "a key that is no canonical encoding, y = p",
        False,
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "03fb",
        "bfd1934b828b7066ea60e76d83154b070d1568fe3b778c72e87e8fa238e8177f"
        "30438a492846f0d183b51fe5bff11b7e3e4de1ddbe328704df7018b5816dcb0e",
    ),
    (
        "a key that is no canonical encoding, y = p + 1",
        False,
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "03e9",
        "886bf8a835aa416e89cb18fed303ba4d0e793020eb7fb5486a2034f887a0613e"
        "90e4ad6faffee3c6e729be7b7ae3c4618a0ca5958b55ebbcdcf63cc2a7980203",
    ),
    (
        "a key that is no canonical encoding, y = 1, odd",
        False,
        "0100000000000000000000000000000000000000000000000000000000000080",
        "03ef",
        "e99e239f715f1205c7b712bd917d572329e6e72c8e5f69f2b86a867f577c957d"
        "081fd1a8a4f6ec809b1e4aaf6fe98af811657f8e5831b28d15a4b75b29b07d00",
    ),
)
