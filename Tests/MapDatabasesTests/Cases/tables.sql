-- The tables of the tests with a server, made by Scripts/checks/servers/database.
CREATE EXTENSION postgis;
SET TIME ZONE 'UTC';
SELECT setseed(0.5);

CREATE TYPE mood AS ENUM ('calm', 'Größe', 'it''s');
CREATE DOMAIN whole AS int4 CHECK (VALUE >= 0);
CREATE TABLE every_type (
  id int8 PRIMARY KEY, i2 int2, i4 int4 NOT NULL DEFAULT 0, i8 int8, r4 float4, r8 float8, n numeric, n2 numeric(12,2), t text,
  v varchar(20), c char(6), b bool, d date, ts timestamp, tz timestamptz, u uuid, e mood, w whole,
  "Odd ""name""" text);
INSERT INTO every_type VALUES
  (-9223372036854775808, -32768, -2147483648, -9223372036854775808, -3.4028235e38, -1.7976931348623157e308,
   -99999999999999.99, -9999999999.99, '', '', '', false, '0001-01-01', '0001-01-01 00:00:00', '0001-01-01 00:00:00Z',
   '00000000-0000-0000-0000-000000000000', 'calm', 0, 'x'),
  (-1, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (0, 0, 0, 0, 0, -0.0, 0, 0, 'Zürich 北京 🌍', 'tab	and "quote"', 'ab', true, '1970-01-01', '1970-01-01 00:00:00',
   '1969-12-31 23:59:59.999999Z', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'Größe', 7, E'line\nend'),
  (1, 1, 1, 9007199254740993, 1.1754944e-38, 5e-324, 0.1, 0.01, 'it''s', 'x', 'a b', false, '2000-02-29',
   '2000-01-01 00:00:00', '1999-12-31 23:59:59.5+05:30', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'it''s', 1, 'y'),
  (9223372036854775807, 32767, 2147483647, 9223372036854775807, 3.4028235e38, 1.7976931348623157e308,
   12345678901234567890123456789.987654321, 9999999999.99, repeat('long ', 2000), 'twenty characters 20', 'abcdef', true,
   '9999-12-31', '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z', '01234567-89ab-cdef-0123-456789abcdef',
   'calm', 2147483647, 'z');
INSERT INTO every_type
SELECT g, (random() * 65535 - 32768)::int2, (random() * 4e9 - 2e9)::int4, (random() * 1.8e19 - 9e18)::int8,
  ((random() - 0.5) * power(10::float8, random() * 60 - 30))::float4, (random() - 0.5) * power(10::float8, random() * 600 - 300),
  ((random() - 0.5)::numeric * power(10::numeric, (random() * 24)::int)), (random() * 1e9)::numeric(12,2),
  md5(random()::text), left(md5(random()::text), (random() * 20)::int), left(md5(random()::text), (random() * 6)::int),
  random() < 0.5, date '0001-01-01' + (random() * 3652058)::int, timestamp '1970-01-01' + random() * interval '50 years',
  timestamptz '1970-01-01 00:00:00Z' - random() * interval '100 years', md5(random()::text)::uuid,
  (ARRAY['calm', 'Größe', 'it''s'])[1 + (random() * 2)::int]::mood, (random() * 1e6)::int, NULL
FROM generate_series(2, 2000) g;
UPDATE every_type SET i2 = NULL, r8 = NULL, n = NULL, t = NULL, b = NULL, d = NULL, tz = NULL, u = NULL
  WHERE id BETWEEN 2 AND 2000 AND id % 7 = 0;

CREATE TABLE special_values (id int4 PRIMARY KEY, r8 float8, r4 float4, n numeric, d date, ts timestamp, tz timestamptz);
INSERT INTO special_values VALUES
  (1, 'NaN', 'NaN', 'NaN', 'infinity', 'infinity', 'infinity'),
  (2, 'Infinity', '-Infinity', '-Infinity', '-infinity', '-infinity', '-infinity'),
  (3, 1, 1, 1e300::numeric * 1e300::numeric, '0001-01-01 BC', '10000-01-01', '294276-12-31 23:59:59Z'),
  (4, 1, 1, 1, '2020-01-01', '2020-01-01', '2020-01-01Z');

CREATE TABLE unread_types (
  id serial PRIMARY KEY, name text, data bytea, list int4[], doc jsonb, span interval, clock time, amount money);
INSERT INTO unread_types (name) VALUES ('a'), ('b');

CREATE TABLE points (id int4 PRIMARY KEY, geom geometry(Point, 4326));
INSERT INTO points VALUES (1, 'SRID=4326;POINT(0.1 -0.2)'), (2, NULL), (3, 'SRID=4326;POINT EMPTY'),
  (4, 'SRID=4326;POINT(-180 90)');
INSERT INTO points SELECT g, ST_SetSRID(ST_MakePoint(
  -- More decimals than ST_AsText writes would be cut in the comparison.
  round((random() * 360 - 180)::numeric, 12)::float8, round((random() * 170 - 85)::numeric, 12)::float8), 4326)
  FROM generate_series(5, 5000) g;
CREATE TABLE multipoints (id int4 PRIMARY KEY, geom geometry(MultiPoint, 4326));
INSERT INTO multipoints VALUES (1, 'SRID=4326;MULTIPOINT(1 2, 3 4)'), (2, 'SRID=4326;MULTIPOINT EMPTY'),
  (3, 'SRID=4326;MULTIPOINT(-5 -6)'), (4, NULL);
CREATE TABLE lines (id int4 PRIMARY KEY, geom geometry(LineString, 3857));
INSERT INTO lines VALUES (1, 'SRID=3857;LINESTRING(0 0, 1000.5 2000.25)'), (2, 'SRID=3857;LINESTRING EMPTY'), (3, NULL);
INSERT INTO lines SELECT g, ST_SetSRID(ST_MakeLine(ARRAY(SELECT ST_MakePoint(random() * 1e7, random() * 1e7 + g * 0)
  FROM generate_series(1, 2 + g % 9))), 3857) FROM generate_series(4, 500) g;
CREATE TABLE multilines (id int4 PRIMARY KEY, geom geometry(MultiLineString, 4326));
INSERT INTO multilines VALUES (1, 'SRID=4326;MULTILINESTRING((0 0, 1 1), (2 2, 3 3, 4 2))'),
  (2, 'SRID=4326;MULTILINESTRING EMPTY');
CREATE TABLE polygons (id int4 PRIMARY KEY, geom geometry(Polygon, 25832));
INSERT INTO polygons VALUES
  (1, 'SRID=25832;POLYGON((500000 5600000, 500100 5600000, 500100 5600100, 500000 5600100, 500000 5600000),
    (500020 5600020, 500020 5600040, 500040 5600040, 500040 5600020, 500020 5600020))'), (2, 'SRID=25832;POLYGON EMPTY'),
  (3, NULL);
CREATE TABLE multipolygons (id int4 PRIMARY KEY, geom geometry(MultiPolygon, 4326));
INSERT INTO multipolygons VALUES
  (1, 'SRID=4326;MULTIPOLYGON(((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1)), ((10 10, 11 10, 11 11, 10 10)))'),
  (2, 'SRID=4326;MULTIPOLYGON EMPTY');
CREATE TABLE solid_points (id int4 PRIMARY KEY, geom geometry(PointZM, 4326));
INSERT INTO solid_points VALUES (1, 'SRID=4326;POINT ZM(1 2 3 4)'), (2, 'SRID=4326;POINT ZM(5 6 7 8)');
CREATE TABLE solid_polygons (id int4 PRIMARY KEY, geom geometry(PolygonZ, 4326));
INSERT INTO solid_polygons VALUES (1, 'SRID=4326;POLYGON Z((0 0 1, 4 0 2, 4 4 3, 0 0 1))');
CREATE TABLE places_on_earth (id int4 PRIMARY KEY, place geography(Point, 4326));
INSERT INTO places_on_earth VALUES (1, 'POINT(8.55 47.37)'), (2, 'POINT(-122 37)');
CREATE TABLE mixed_kinds (id int4 PRIMARY KEY, geom geometry);
INSERT INTO mixed_kinds VALUES (1, 'SRID=4326;POINT(1 1)'), (2, 'SRID=4326;LINESTRING(0 0, 2 2)'),
  (3, 'SRID=4326;POLYGON((0 0, 3 0, 3 3, 0 0))'), (4, 'SRID=4326;LINESTRING(5 5, 6 6)');
CREATE TABLE mixed_references (id int4 PRIMARY KEY, geom geometry);
INSERT INTO mixed_references VALUES (1, 'SRID=4326;POINT(1 1)'), (2, 'SRID=3857;POINT(1 1)');
CREATE TABLE untyped (id int4 PRIMARY KEY, geom geometry);
INSERT INTO untyped VALUES (1, 'SRID=3857;POINT(100 200)'), (2, 'SRID=3857;POINT(300 400)');
CREATE TABLE without_reference (id int4 PRIMARY KEY, geom geometry(Point));
INSERT INTO without_reference VALUES (1, 'POINT(10 20)');
INSERT INTO spatial_ref_sys (srid, auth_name, auth_srid, srtext, proj4text) SELECT 990001, 'mine', 1, srtext, proj4text
  FROM spatial_ref_sys WHERE srid = 25832;
CREATE TABLE own_reference (id int4 PRIMARY KEY, geom geometry(Point, 990001));
INSERT INTO own_reference VALUES (1, 'SRID=990001;POINT(500000 5600000)');
CREATE TABLE curves (id int4 PRIMARY KEY, geom geometry(CircularString, 4326));
INSERT INTO curves VALUES (5, 'SRID=4326;CIRCULARSTRING(0 0, 1 1, 2 0)');
CREATE TABLE some_curves (id int4 PRIMARY KEY, geom geometry);
INSERT INTO some_curves VALUES (5, 'SRID=4326;CIRCULARSTRING(0 0, 1 1, 2 0)'), (6, 'SRID=4326;LINESTRING(0 0, 1 1)');
CREATE TABLE no_rows (id int4 PRIMARY KEY, name text, geom geometry(Polygon, 4326));
CREATE TABLE two_geometries (id int4 PRIMARY KEY, a geometry(Point, 4326), b geometry(Point, 3857));
INSERT INTO two_geometries VALUES (1, 'SRID=4326;POINT(1 2)', 'SRID=3857;POINT(3 4)');

CREATE TABLE without_key (n int4, name text);
INSERT INTO without_key VALUES (2, 'b'), (1, 'a'), (2, 'c');
CREATE TABLE by_unique_index (name text, n int4 NOT NULL UNIQUE);
INSERT INTO by_unique_index VALUES ('b', 20), ('a', 10);
CREATE VIEW some_points AS SELECT id, id % 3 AS third, geom FROM points WHERE id <= 100;
CREATE MATERIALIZED VIEW kept_points AS SELECT id, geom FROM points WHERE id <= 50;
CREATE TABLE parts (id int4 PRIMARY KEY, name text) PARTITION BY RANGE (id);
CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (100);
CREATE TABLE parts_high PARTITION OF parts FOR VALUES FROM (100) TO (200);
INSERT INTO parts SELECT g, 'n' || g FROM generate_series(0, 199) g;
CREATE SCHEMA "odd.schema";
CREATE TABLE "odd.schema"."Ta""ble" (id int4 PRIMARY KEY, "Ünï" text);
INSERT INTO "odd.schema"."Ta""ble" VALUES (1, 'x');

-- Values that generated conditions select in parts, in a projected spatial reference.
CREATE TABLE samples (
  id int4 PRIMARY KEY, small int2, vast int8, half float8, single float4, amount numeric(8,2), n numeric, word text,
  flag bool, day date, moment timestamptz, local timestamp, geom geometry(Point, 25832));
INSERT INTO samples SELECT g, CASE WHEN g % 7 <> 0 THEN (random() * 12 - 4)::int2 END,
  (ARRAY[9007199254740992, 9007199254740993, -9007199254740993, 0, 1, 9223372036854775807])[1 + floor(random() * 6)::int],
  CASE g % 97 WHEN 0 THEN 'NaN' WHEN 1 THEN 'Infinity' ELSE (random() * 20)::int / 2.0 END,
  CASE g % 89 WHEN 0 THEN 'NaN' WHEN 1 THEN '-Infinity' ELSE (random() * 20)::int / 10.0 END,
  CASE g % 83 WHEN 0 THEN 'NaN' ELSE (random() * 1000)::int / 100.0 END, (random() * 10)::int / 10.0,
  (ARRAY['', 'a', 'A', 'ab', 'aé', E'ae\u0301', 'é', 'Zürich', 'a%b', '100%', 'a_b', E'a\\b', '😀b', 'it''s', NULL])[
    1 + floor(random() * 15)::int],
  CASE WHEN g % 5 <> 0 THEN random() < 0.5 END, CASE g % 79 WHEN 0 THEN 'infinity' ELSE date '2020-02-26' + (random() * 6)::int END,
  CASE g % 73 WHEN 0 THEN 'infinity' ELSE timestamptz '2020-02-28 00:00:00Z' + (random() * 8)::int * interval '6 hours' END,
  CASE g % 71 WHEN 0 THEN '20000-01-01' ELSE timestamp '2020-02-28' + (random() * 8)::int * interval '6 hours' END,
  ST_SetSRID(ST_MakePoint(random() * 600000 + 300000, random() * 800000 + 5250000), 25832)
FROM generate_series(1, 3000) g;

-- More rows than are read whole.
CREATE TABLE trips (id int4 PRIMARY KEY, distance float8, kind int4, name text, geom geometry(Point, 4326));
INSERT INTO trips SELECT g, (random() - 0.5) * 10 ^ (random() * 20 - 10), g % 5, 'n' || g % 1000,
  ST_SetSRID(ST_MakePoint((random() * 340 - 170)::float4, (random() * 160 - 80)::float4), 4326) FROM generate_series(1, 120000) g;
CREATE INDEX ON trips USING gist (geom);
ANALYZE trips;

-- Faults while rows are sent.
CREATE VIEW stopping AS SELECT id, CASE WHEN id = 4000 THEN pg_terminate_backend(pg_backend_pid()) END AS stopped FROM points;
CREATE VIEW failing AS SELECT id, 1 / (id - 4000) AS quotient FROM points;
CREATE VIEW slow AS SELECT id, (SELECT true FROM pg_sleep(CASE WHEN id > 10 THEN 1 ELSE 0 END)) AS woke FROM points;
CREATE ROLE reader LOGIN PASSWORD 'reading only 77';
GRANT SELECT ON points TO reader;
